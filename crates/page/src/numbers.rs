//! Numbers, sizes and times for people.

/// Digits in groups of three, with narrow blanks that never break a line.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_threes() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1 000"), (1_234_567, "1 234 567")] {
            assert_eq!(grouped(number).replace('\u{202f}', " "), text);
        }
        assert_eq!(grouped(u64::MAX).chars().filter(char::is_ascii_digit).count(), 20);
    }

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
            (1.0, "1.0 s"),
            (75.0, "1 min 15 s"),
            (7300.0, "2 h 1 min"),
            (f64::NAN, "-"),
        ] {
            assert_eq!(duration(seconds).replace('\u{a0}', " "), text);
        }
    }
}
