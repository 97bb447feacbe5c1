//! Where a picture lies in its frame: zoom, pan, pinch, everything in view.

use crate::icons;
use leptos::html;
use leptos::prelude::*;
use web_sys::{KeyboardEvent, PointerEvent, WheelEvent};

/// Zoom factors.
const SMALLEST: f64 = 0.2;
const LARGEST: f64 = 4.0;
/// Height that is left free for the buttons, in pixels.
const BUTTONS: f64 = 44.0;
/// How far the arrow keys move the picture, in pixels.
const MOVE: f64 = 40.0;

/// Where the drawing lies in the canvas.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    scale: f64,
    x: f64,
    y: f64,
}

impl Place {
    /// Everything is seen, in the middle, not larger than it was drawn.
    fn fit(picture: (f64, f64), width: f64, height: f64) -> Self {
        // The buttons for zooming lie over the lower edge.
        let height = (height - BUTTONS).max(height / 2.0);
        let ratio = (width / picture.0.max(1.0)).min(height / picture.1.max(1.0));
        let scale = ratio.clamp(SMALLEST, 1.25);
        let x = (width - picture.0 * scale) / 2.0;
        // What does not fit even so begins at its start.
        let y = ((height - picture.1 * scale) / 2.0).max(0.0);
        Self { scale, x: x.max(0.0), y }
    }

    /// At a scale, with a point of the picture in the middle, as far as that leaves no room empty.
    fn around(
        picture: (f64, f64),
        (width, height): (f64, f64),
        scale: f64,
        at: (f64, f64),
    ) -> Self {
        let height = (height - BUTTONS).max(height / 2.0);
        let along = |size: f64, room: f64, at: f64| {
            let size = size * scale;
            if size <= room {
                (room - size) / 2.0
            } else {
                (room / 2.0 - at * scale).clamp(room - size, 0.0)
            }
        };
        Self { scale, x: along(picture.0, width, at.0), y: along(picture.1, height, at.1) }
    }

    /// Larger or smaller, with a point of the canvas kept where it is.
    fn zoomed(self, factor: f64, (x, y): (f64, f64)) -> Self {
        let scale = (self.scale * factor).clamp(SMALLEST, LARGEST);
        let by = scale / self.scale;
        Self { scale, x: x - (x - self.x) * by, y: y - (y - self.y) * by }
    }

    fn moved(self, x: f64, y: f64) -> Self {
        Self { x: self.x + x, y: self.y + y, ..self }
    }
}

/// A frame with a picture in it. It is cheap to copy.
#[derive(Clone, Copy)]
pub struct Stage {
    /// The frame.
    pub node: NodeRef<html::Div>,
    /// Width and height of the picture.
    picture: Signal<Option<(f64, f64)>>,
    place: RwSignal<Place>,
    /// Where it was put so that everything is seen; elsewhere it was put by the user.
    fitted: StoredValue<Place>,
    /// For what is not seen well as a whole at first: the least scale, and the point of the picture to
    /// begin with.
    opening: StoredValue<Option<(f64, (f64, f64))>>,
    /// Pointers that are pressed.
    pointers: RwSignal<Vec<(i32, f64, f64)>>,
    /// How far they moved since: a little is a click.
    way: StoredValue<f64>,
}

/// A pointer that moves less than this, in pixels, clicks.
const CLICK: f64 = 4.0;

impl Stage {
    /// A frame that shows everything until the user moves the picture.
    pub fn new(picture: Signal<Option<(f64, f64)>>) -> Self {
        let place = RwSignal::new(Place { scale: 1.0, x: 0.0, y: 0.0 });
        let stage = Self {
            node: NodeRef::new(),
            picture,
            place,
            fitted: StoredValue::new(place.get_untracked()),
            opening: StoredValue::new(None),
            pointers: RwSignal::new(Vec::new()),
            way: StoredValue::new(0.0),
        };
        crate::events::listen_size(stage.node, move || {
            if stage.place.get_untracked() == stage.fitted.get_value() {
                stage.open();
            }
        });
        stage
    }

    fn size(&self) -> (f64, f64) {
        self.node.get_untracked().map_or((400.0, 300.0), |it| {
            (f64::from(it.client_width()), f64::from(it.client_height()))
        })
    }

    /// Puts everything in view.
    pub fn fit(&self) {
        let (width, height) = self.size();
        if let Some(picture) = self.picture.get_untracked() {
            let fitting = Place::fit(picture, width, height);
            self.fitted.set_value(fitting);
            self.place.set(fitting);
        }
    }

    /// Shows a picture for the first time, as soon as the frame is there: everything, or, where it would
    /// be smaller than `least`, what is around a point.
    pub fn show_first(self, least: f64, from: (f64, f64)) {
        self.opening.set_value(Some((least, from)));
        if self.node.get().is_some() {
            self.soon(Self::open);
        }
    }

    fn open(&self) {
        self.fit();
        let Some((least, (x, y))) = self.opening.get_value() else { return };
        let fitting = self.fitted.get_value();
        if let Some(picture) = self.picture.get_untracked()
            && fitting.scale < least
        {
            let place = Place::around(picture, self.size(), least, (x, y));
            self.fitted.set_value(place);
            self.place.set(place);
        }
    }

    /// Shows everything for the first time, as soon as the frame is there.
    pub fn show_all(self) {
        self.opening.set_value(None);
        if self.node.get().is_some() {
            self.soon(Self::fit);
        }
    }

    /// Does something before the next picture is painted, if the frame is still there then.
    pub fn soon(self, act: impl Fn(&Self) + 'static) {
        request_animation_frame(move || {
            if self.place.try_get_untracked().is_some() {
                act(&self);
            }
        });
    }

    /// Larger or smaller, with the middle kept where it is.
    pub fn zoom(&self, factor: f64) {
        let (width, height) = self.size();
        self.place.update(|it| *it = it.zoomed(factor, (width / 2.0, height / 2.0)));
    }

    /// Moves the picture so that a point of it is seen, not at the very edge.
    pub fn reveal(&self, x: f64, y: f64) {
        const EDGE: f64 = 36.0;
        let (width, height) = self.size();
        let place = self.place.get_untracked();
        let (x, y) = (place.x + x * place.scale, place.y + y * place.scale);
        let into =
            |at: f64, room: f64| at.clamp(EDGE.min(room / 2.0), (room - EDGE).max(room / 2.0)) - at;
        let (by_x, by_y) = (into(x, width), into(y, height - BUTTONS));
        if by_x != 0.0 || by_y != 0.0 {
            self.place.set(place.moved(by_x, by_y));
        }
    }

    /// How large the picture is seen.
    pub fn scale(&self) -> f64 {
        self.place.get().scale
    }

    /// The `transform` of the picture.
    pub fn transform(&self) -> String {
        let Place { scale, x, y } = self.place.get();
        format!("translate({x:.2} {y:.2}) scale({scale:.4})")
    }

    /// Whether the picture is being moved.
    pub fn is_dragged(&self) -> bool {
        self.pointers.with(|all| !all.is_empty())
    }

    /// Keys that move and zoom; true if it was one.
    pub fn press(&self, event: &KeyboardEvent) -> bool {
        let by = |x: f64, y: f64| self.place.update(|it| *it = it.moved(x, y));
        match event.key().as_str() {
            "ArrowLeft" if event.shift_key() => by(MOVE, 0.0),
            "ArrowRight" if event.shift_key() => by(-MOVE, 0.0),
            "ArrowUp" if event.shift_key() => by(0.0, MOVE),
            "ArrowDown" if event.shift_key() => by(0.0, -MOVE),
            "+" | "=" => self.zoom(1.25),
            "-" => self.zoom(0.8),
            "0" => self.fit(),
            _ => return false,
        }
        true
    }

    fn local(&self, x: i32, y: i32) -> (f64, f64) {
        self.node.get_untracked().map_or((0.0, 0.0), |it| {
            let area = it.get_bounding_client_rect();
            (f64::from(x) - area.left(), f64::from(y) - area.top())
        })
    }

    /// The wheel zooms around the pointer.
    pub fn wheel(&self, event: &WheelEvent) {
        event.prevent_default();
        let factor = (-event.delta_y() * 0.002).clamp(-0.5, 0.5).exp();
        let at = self.local(event.client_x(), event.client_y());
        self.place.update(|it| *it = it.zoomed(factor, at));
    }

    /// A pointer is pressed.
    pub fn down(&self, event: &PointerEvent) {
        let (x, y) = self.local(event.client_x(), event.client_y());
        self.pointers.update(|all| {
            all.retain(|it| it.0 != event.pointer_id());
            all.push((event.pointer_id(), x, y));
        });
        self.way.set_value(0.0);
    }

    /// A pointer moves: one drags, two pinch.
    pub fn moved(&self, event: &PointerEvent) {
        let id = event.pointer_id();
        let mut all = self.pointers.get_untracked();
        let Some(at) = all.iter().position(|it| it.0 == id) else { return };
        let (x, y) = self.local(event.client_x(), event.client_y());
        let (_, old_x, old_y) = all[at];
        let way = self.way.get_value() + (x - old_x).hypot(y - old_y);
        self.way.set_value(way);
        if way >= CLICK
            && let Some(element) = self.node.get_untracked()
        {
            // So that a drag may leave the canvas; the pointer is pressed, so this cannot fail.
            let _ = element.set_pointer_capture(id);
        }
        match all.iter().find(|it| it.0 != id).copied() {
            None => self.place.update(|it| *it = it.moved(x - old_x, y - old_y)),
            Some((_, other_x, other_y)) => {
                let distance = |x: f64, y: f64| (x - other_x).hypot(y - other_y).max(8.0);
                let factor = distance(x, y) / distance(old_x, old_y);
                let middle = ((x + other_x) / 2.0, (y + other_y) / 2.0);
                self.place.update(|it| *it = it.zoomed(factor, middle));
            }
        }
        all[at] = (id, x, y);
        self.pointers.set(all);
    }

    /// A pointer is released.
    pub fn up(&self, event: &PointerEvent) {
        self.pointers.update(|all| all.retain(|it| it.0 != event.pointer_id()));
    }
}

/// The buttons that zoom.
#[component]
pub fn ZoomButtons(stage: Stage) -> impl IntoView {
    let button = |label: &'static str, icon: &'static str, act: Callback<()>| {
        view! {
            <button class="icon-button" aria-label=label title=label on:click=move |_| act.run(())>
                {icons::icon(icon)}
            </button>
        }
    };
    view! {
        <div class="zoom" role="toolbar" aria-label="Zoom">
            {button("Larger (+)", icons::PLUS, Callback::new(move |()| stage.zoom(1.25)))}
            {button("Smaller (-)", icons::MINUS, Callback::new(move |()| stage.zoom(0.8)))}
            {button("Show everything (0)", icons::FIT, Callback::new(move |()| stage.fit()))}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_the_middle() {
        let place = Place::fit((200.0, 100.0), 400.0, 300.0 + BUTTONS);
        assert_eq!(place, Place { scale: 1.25, x: 75.0, y: 87.5 });
        let larger = place.zoomed(2.0, (200.0, 150.0));
        assert_eq!((larger.scale, larger.x, larger.y), (2.5, -50.0, 25.0));
        assert_eq!(place.zoomed(100.0, (0.0, 0.0)).scale, LARGEST);
        assert_eq!(place.zoomed(0.0, (0.0, 0.0)).scale, SMALLEST);
        // Too large to be seen whole: the start is seen.
        assert_eq!(Place::fit((9000.0, 10.0), 400.0, 300.0).x, 0.0);
    }
}
