//! Numbers, sizes and times for people.

pub use promenade_protocol::grouped;

/// A size with a fitting unit.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0}\u{a0}{}", UNITS[unit])
    } else {
        format!("{value:.1}\u{a0}{}", UNITS[unit])
    }
}

/// A duration.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "-".to_owned();
    }
    if seconds < 0.0995 {
        return format!("{:.1}\u{a0}ms", seconds * 1000.0);
    }
    if seconds < 0.9995 {
        return format!("{:.0}\u{a0}ms", seconds * 1000.0);
    }
    if seconds < 59.95 {
        return format!("{seconds:.1}\u{a0}s");
    }
    let whole = seconds.round() as u64;
    if whole < 3600 {
        format!("{}\u{a0}min\u{a0}{}\u{a0}s", whole / 60, whole % 60)
    } else {
        format!("{}\u{a0}h\u{a0}{}\u{a0}min", whole / 3600, whole % 3600 / 60)
    }
}

/// A rate in whole units.
pub fn rate(per_second: f64) -> String {
    if per_second.is_finite() && per_second > 0.0 {
        format!("{}/s", grouped(per_second.round() as u64))
    } else {
        "-".to_owned()
    }
}

/// `1 state`, `2 states`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{}\u{a0}{}", grouped(number), if number == 1 { one } else { many })
}

/// A part as a percentage, with as many digits as tell it from nothing and from everything.
pub fn percent(part: f64) -> String {
    if part.is_nan() {
        return "-".to_owned();
    }
    let percent = part.clamp(0.0, 1.0) * 100.0;
    let distance = percent.min(100.0 - percent);
    if distance <= 0.0 {
        return format!("{percent:.0}\u{a0}%");
    }
    if distance < 1e-6 {
        let near = if percent < 50.0 { "less than 0.000001" } else { "more than 99.999999" };
        return format!("{near}\u{a0}%");
    }
    let digits = (1.0 - distance.log10().floor()).clamp(0.0, 8.0) as usize;
    format!("{percent:.digits$}\u{a0}%")
}

/// A probability that is not nothing: a percentage, or one in so many where it is small.
pub fn chance(probability: f64) -> String {
    if probability.is_nan() || probability >= 0.001 {
        return percent(probability);
    }
    let one_in = 1.0 / probability;
    if one_in >= 1e15 {
        return "less than 1 in 10\u{b9}\u{2075}".to_owned();
    }
    // Two digits say enough.
    let unit = 10f64.powf(one_in.log10().floor() - 1.0);
    format!("1 in {}", grouped(((one_in / unit).round() * unit).round() as u64))
}

/// An expected number of things, which need not be whole.
pub fn expected(number: f64) -> String {
    match number {
        n if !n.is_finite() => "-".to_owned(),
        n if n <= 0.0 => "0".to_owned(),
        n if n < 0.000_1 => "less than 0.0001".to_owned(),
        n if n < 0.1 => format!("{n:.4}"),
        n if n < 10.0 => format!("{n:.1}"),
        n => grouped(n.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_have_units() {
        for (number, text) in [
            (12, "12 bytes"),
            (1536, "1.5 KiB"),
            (512 << 20, "512 MiB"),
            (u64::MAX, "17179869184 GiB"),
        ] {
            assert_eq!(bytes(number).replace('\u{a0}', " "), text);
        }
        for (seconds, text) in [
            (0.0012, "1.2 ms"),
            (0.4321, "432 ms"),
            (0.9996, "1.0 s"),
            (1.0, "1.0 s"),
            (75.0, "1 min 15 s"),
            (7300.0, "2 h 1 min"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(duration(seconds).replace('\u{a0}', " "), text);
        }
    }
    #[test]
    fn parts_are_never_rounded_to_everything() {
        let plain = |text: String| text.replace('\u{a0}', " ");
        for (part, text) in [
            (0.0, "0 %"),
            (1.0, "100 %"),
            (0.5, "50 %"),
            (0.999_975, "99.9975 %"),
            (1.0 - 1e-12, "more than 99.999999 %"),
            (1e-12, "less than 0.000001 %"),
        ] {
            assert_eq!(plain(percent(part)), text);
        }
        for (probability, text) in [
            (0.25, "25 %"),
            (1.0 / 8_321_000.0, "1 in 8,300,000"),
            (0.0, "less than 1 in 10¹⁵"),
            (1e-30, "less than 1 in 10¹⁵"),
        ] {
            assert_eq!(plain(chance(probability)), text);
        }
        for (number, text) in [(0.0, "0"), (0.02, "0.0200"), (3.16, "3.2"), (12_345.6, "12,346")] {
            assert_eq!(plain(expected(number)), text);
        }
        assert_eq!(chance(f64::NAN), "-");
    }
}
