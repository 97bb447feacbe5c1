//! Line icons, 16 by 16, drawn for this page.

use leptos::prelude::*;

/// Triangle to the right.
pub const PLAY: &str = "M5 3.5v9l7-4.5z";
/// Two bars.
pub const PAUSE: &str = "M5.5 3.5v9M10.5 3.5v9";
/// Arrow head to the right.
pub const NEXT: &str = "M6 3.5 10.5 8 6 12.5";
/// Arrow head to the left.
pub const BACK: &str = "M10 3.5 5.5 8l4.5 4.5";
/// To the end.
pub const LAST: &str = "M4 3.5 8.5 8 4 12.5M12 3.5v9";
/// To the start.
pub const FIRST: &str = "M12 3.5 7.5 8l4.5 4.5M4 3.5v9";
/// Cross.
pub const CLOSE: &str = "m4 4 8 8M12 4l-8 8";
/// Sliders.
pub const OPTIONS: &str =
    "M2.5 5h6M12 5h1.5M2.5 11H4M7.5 11h6M10.2 5a1.7 1.7 0 1 0 0-.01M5.8 11a1.7 1.7 0 1 0 0-.01";
/// Arrow out of a box.
pub const SHARE: &str = "M8 9.5v-7M5 5l3-3 3 3M3 9v4.5h10V9";
/// Sun and moon.
pub const THEME: &str = "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11";
/// Question mark.
pub const HELP: &str = "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.7 8 9.2 8 10M8 12.5v.2";
/// Four squares.
pub const GALLERY: &str =
    "M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5h-4.5zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5h-4.5z";
/// A sheet.
pub const FILE: &str = "M4 2.5h5l3.5 3.5v7.5h-8.5zM9 2.5v3.5h3.5";
/// Tick.
pub const HOLDS: &str = "m3.5 8.5 3 3 6-7";
/// Exclamation mark.
pub const PARTIAL: &str = "M8 3.5v6M8 12.3v.2";
/// Plus.
pub const PLUS: &str = "M8 3.5v9M3.5 8h9";
/// Minus.
pub const MINUS: &str = "M3.5 8h9";
/// Four corners.
pub const FIT: &str = "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3";
/// Arrow down onto a line.
pub const EXPORT: &str = "M8 2.5v7M5 7l3 3 3-3M3 13h10";
/// Pencil.
pub const EDIT: &str = "m3 13 .7-3 7-7 2.3 2.3-7 7z";

/// A die.
pub const DIE: &str = "M3 3h10v10H3zM5.9 5.9v.2M10.1 5.9v.2M8 8v.1M5.9 10v.2M10.1 10v.2";

/// An icon; it says nothing to screen readers.
pub fn icon(path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=path/>
        </svg>
    }
}
