//! Round trips, frozen links, hostile links.

use super::*;
use crate::{
    DeadVariables, Define, Emptiness, Fairness, File, Probing, Property, Proviso, Reduction,
    Search, Settings, Store, WriteOnly,
};

fn peterson() -> Link {
    let text = "bool want[2]; byte turn, inside;\nactive [2] proctype P() {\n  byte i;\n\
                again:\n  want[_pid] = true; turn = 1 - _pid;\n  (!want[1 - _pid] || turn == _pid);\n  \
                inside++; assert(inside == 1); inside--;\n  want[_pid] = false;\n  goto again\n}\n";
    Link {
        experiment: Experiment {
            files: vec![File { name: "peterson.pml".to_owned(), text: text.to_owned() }],
            // As all links had it before there was a choice.
            settings: Settings {
                reduction: Reduction::None,
                write_only: WriteOnly::Keep,
                ..Settings::default()
            },
            ..Experiment::default()
        },
        ..Link::default()
    }
}

fn everything() -> Link {
    let mut link = peterson();
    link.experiment.files.push(File { name: "č.h".to_owned(), text: "#define N 3\n".to_owned() });
    link.experiment.property = Property::Claim { name: Some("wait".to_owned()) };
    link.experiment.settings = Settings {
        write_only: WriteOnly::Keep,
        search: Search::BreadthFirst,
        all_errors: true,
        stop_at: Some(7),
        keep_violations: 3,
        memory_mib: 64,
        depth_limit: Some(1000),
        state_limit: Some(1_000_000),
        time_limit_seconds: Some(0),
        assertions: false,
        end_states: false,
        empty_channels_at_end: true,
        lose_messages: true,
        inner_unless_first: true,
        reduction: Reduction::None,
        ..Settings::default()
    };
    link.experiment.settings.defines = vec![
        Define { name: "N".to_owned(), value: Some("a=b".to_owned()) },
        Define { name: "FAST".to_owned(), value: None },
        Define { name: "E".to_owned(), value: Some(String::new()) },
    ];
    link.trail =
        Some(Trail { choices: vec![0, 1, 0, 200, 70_000], checksum: 0xdead_beef, stem: None });
    link.notes = "look at step 4".to_owned();
    link.version = "0.1.0".to_owned();
    link
}

/// What later versions added.
fn infinite_run() -> Link {
    let mut link = everything();
    link.experiment.property = Property::Ltl { name: Some("live".to_owned()) };
    link.experiment.settings.fairness = Fairness::Weak;
    link.experiment.settings.emptiness = Emptiness::Couvreur;
    if let Some(trail) = &mut link.trail {
        trail.stem = Some(2);
    }
    link
}

fn content(text: &str) -> Link {
    match parse(text).unwrap().target {
        Target::Content(link) => *link,
        other => panic!("{other:?}"),
    }
}

#[test]
fn links_come_back() {
    let others = [
        Property::Ltl { name: None },
        Property::Ltl { name: Some("live".to_owned()) },
        Property::Formula { text: "[] <> (x == 1)".to_owned() },
        Property::Acceptance { claim: None },
        Property::Progress,
    ];
    let others = others.map(|property| {
        let mut link = peterson();
        link.experiment.property = property;
        link
    });
    for link in
        [Link::default(), peterson(), everything(), infinite_run()].into_iter().chain(others)
    {
        let text = encode(&link).unwrap();
        assert_eq!(content(&text), link);
        assert_eq!(content(&format!("https://example.org/x/?a#{text}&view=trace")), link);
        assert_eq!(content(&format!("#{text}.")), link);
    }
}

#[test]
fn links_are_short() {
    let length = encode(&peterson()).unwrap().len();
    assert!(length < 320, "{length}");
    let mut link = peterson();
    link.trail = Some(Trail { choices: vec![0; 1000], checksum: 1, stem: None });
    let longer = encode(&link).unwrap().len();
    assert!(longer < length + 40, "{longer}");
}

#[test]
fn stores_and_reduction_travel() {
    for (seed, store) in (0..).zip(Store::ALL.iter().copied()) {
        let mut link = peterson();
        let (hashes, cell_bits, chain) = (7 + seed, 16 + seed, 3 + seed);
        let probing =
            [Probing::Double, Probing::EnhancedDouble, Probing::Independent, Probing::Blocked];
        let provisos = [Proviso::Dynamic, Proviso::Static];
        let (probing, proviso) = (probing[seed as usize % 4], provisos[seed as usize % 2]);
        let dead_variables = [DeadVariables::Reset, DeadVariables::Keep][seed as usize % 2];
        let write_only = [WriteOnly::LeaveOut, WriteOnly::Keep][seed as usize % 2];
        let (reduction, merge) = (Reduction::AmpleSets, seed % 2 == 0);
        link.experiment.settings = Settings {
            store,
            hashes,
            probing,
            cell_bits,
            chain,
            seed,
            reduction,
            proviso,
            merge,
            dead_variables,
            write_only,
            shuffle: seed,
            ..link.experiment.settings
        };
        assert_eq!(content(&encode(&link).unwrap()), link);
    }
}

#[test]
fn side_keys() {
    let fragment = parse("#ex=peterson&view=trace&step=17&lang=de&x").unwrap();
    assert_eq!(fragment.target, Target::Example("peterson".to_owned()));
    assert_eq!((fragment.view.as_deref(), fragment.step), (Some("trace"), Some(17)));
    assert_eq!(write(&fragment).unwrap(), "ex=peterson&view=trace&step=17");
    let assignment = Target::Assignment("fairness".to_owned());
    let fragment = parse("https://example.org/x#assignment=fairness").unwrap();
    assert_eq!(fragment.target, assignment);
    assert_eq!(write(&fragment).unwrap(), "assignment=fairness");
    assert_eq!(parse("#assignment=<b>"), Err(LinkError::BadCharacter));
    for empty in ["", "#", "#&", "#view=stats"] {
        assert_eq!(parse(empty).unwrap().target, Target::Nothing, "{empty}");
    }
    assert_eq!(parse("#step=minus").unwrap().step, None);
    let whole =
        Fragment { target: Target::Content(Box::new(everything())), view: None, step: Some(3) };
    assert_eq!(parse(&write(&whole).unwrap()).unwrap(), whole);
}

/// Links that version 1 wrote. They are never changed; what they mean is never changed.
type Frozen = (&'static str, fn() -> Link);
const FROZEN: &[Frozen] = &[
    (
        concat!(
            "1XY5BCsIwEEVxWzzEd9eiFXRp8A7upUhsxxKoSUimSrHuPZ6H8QCmad24nPcf_88br9lnNrfE5LzRa3t",
            "tzsY0uEvNx20hcO6YwK3TKyjtVUUikSWrGyHEsM6U3FnCIc3wSDDqKji1VHoXQCw6WVUV2INdSyK2hWO",
            "DHEMggpUuovdDBfp-0vYRZIM07i-XAtJ7cpyOYHA2mZjiPBf_qxfZeBpobdggfpY8ky8",
        ),
        peterson,
    ),
    (
        concat!(
            "1XY4_S8NAGMZzbUolBFFQcHB4RZDEmtDU4uAR1EE3i6CbBLk013oY747c1VKsm6tfwt2vIA6CfgpnNx3",
            "8AOZPXRzf3_Pjed7l4zf0g2xJNc2U4L68TmMhUhgTrs87EYZ4oinoUca3gHHFEoot0tfshkIeg8xEX08",
            "khRPHhVsLKp3lzpAwvpuDsuhCsiSCEHQ2orhsy48APCgCnFvOWun9oQim05kWlsAtpGq_1cJAlKKZdip",
            "QOIGLZ7Hn4f-rA5IqWtCh0ALKz6w7Cy2arw_-5XpCB4xT6MG2VeuaaA5tGJuGjzpoBy3Ul_bt5spnc_X",
            "lPgQDN3ohCWNsHh2cnuHaYbhnjgnTdfvr-enDQMY7-n40zflUiCsgGpSmErqNRtsP_PYv",
        ),
        everything,
    ),
];

#[test]
fn old_links_are_read_for_ever() {
    for (text, link) in FROZEN {
        assert_eq!(content(text), link());
    }
}

#[test]
fn wrong_links_are_explained() {
    let good = encode(&peterson()).unwrap();
    assert_eq!(parse("#hello"), Err(LinkError::NotALink));
    assert_eq!(parse("#2abc"), Err(LinkError::NewerVersion));
    assert_eq!(parse("#1ab*c"), Err(LinkError::BadCharacter));
    assert_eq!(parse("#1"), Err(LinkError::CutOff));
    assert_eq!(parse(&good[..good.len() / 2]).map(|_| ()), Err(LinkError::CutOff));
    assert_eq!(parse(&"1".repeat(MAX_CHARACTERS + 1)), Err(LinkError::TooLong));
}

fn packed(frame: &[u8]) -> String {
    let mut text = String::from("1");
    base64::encode(&miniz_oxide::deflate::compress_to_vec(frame, 9), &mut text);
    text
}

#[test]
fn bombs_are_refused() {
    let bomb = packed(&vec![0; 300 << 20]);
    assert!(bomb.len() < MAX_CHARACTERS);
    assert_eq!(parse(&bomb), Err(LinkError::TooLarge));
    let mut link = peterson();
    link.experiment.files[0].text = "x".repeat(MAX_BYTES);
    assert_eq!(encode(&link), Err(LinkError::TooLarge));
}

#[test]
fn content_of_the_future() {
    // An unknown section is skipped, an unknown critical setting is not.
    let with = |section: &[u8]| {
        let mut frame = frame::write(&peterson()).unwrap();
        frame.extend_from_slice(section);
        frame::seal(&mut frame);
        parse(&packed(&frame))
    };
    let fragment = with(&[100, 2, 1, 2]).unwrap();
    assert_eq!(fragment.target, Target::Content(Box::new(peterson())));
    assert!(with(&[2, 3, 0x80, 0x02, 9]).is_ok());
    assert_eq!(with(&[2, 3, 0x82, 0x02, 9]), Err(LinkError::NewerContent));
    assert_eq!(with(&[100, 50, 1]), Err(LinkError::CutOff));
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

#[test]
fn truncations_and_flips_never_pass_for_the_link() {
    let link = everything();
    let good = encode(&link).unwrap();
    for end in 0..good.len() {
        if let Ok(fragment) = parse(&good[..end]) {
            assert_eq!(fragment.target, Target::Nothing, "cut at {end}");
        }
    }
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_#&=.%";
    let mut random = Random(1);
    for _ in 0..30_000 {
        let mut bytes = good.clone().into_bytes();
        let at = 1 + random.below(bytes.len() - 1);
        bytes[at] = alphabet[random.below(64)];
        let text = String::from_utf8(bytes).unwrap();
        if text != good
            && let Ok(fragment) = parse(&text)
            && let Target::Content(other) = fragment.target
        {
            // Deflate has redundant bits; what comes out must be the same then.
            assert_eq!(*other, link);
        }
    }
}

#[test]
fn random_text_never_panics() {
    let alphabet: Vec<char> =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_#&=.%č ".chars().collect();
    let mut random = Random(2);
    for _ in 0..20_000 {
        let length = random.below(200);
        let mut text = String::from(if random.below(4) == 0 { "" } else { "1" });
        text.extend((0..length).map(|_| alphabet[random.below(alphabet.len())]));
        let _ = parse(&text);
    }
    // Frames with a right checksum and anything behind it.
    for _ in 0..50_000 {
        let mut frame = vec![0; 3];
        for _ in 0..random.below(60) {
            let byte = if random.below(2) == 0 { random.below(20) } else { random.below(256) };
            frame.push(byte as u8);
        }
        frame::seal(&mut frame);
        if let Ok(link) = frame::read(&frame) {
            let again = frame::write(&link).and_then(|frame| frame::read(&frame)).unwrap();
            assert_eq!(again, link);
        }
    }
}

/// Links with every value of every option, as they were written before options had a catalogue, each
/// with what it means. They are never changed; new ones are added behind them.
#[test]
fn every_option_is_written_and_read_as_ever() {
    let (mut read, mut unseen) = (0, Vec::new());
    for id in crate::OptionId::ALL {
        // Those that came later.
        unseen.extend(id.spec().choices().iter().filter(|it| it.id != "tree").map(|it| (*id, it)));
    }
    for line in include_str!("frozen.txt").lines() {
        let (link, experiment) = line.split_once(' ').unwrap();
        let experiment: Experiment = serde_json::from_str(experiment).unwrap();
        let back = content(link);
        assert_eq!(back.experiment, experiment);
        assert_eq!(encode(&back).unwrap(), link);
        unseen.retain(|(id, it)| experiment.settings.get(*id) != Some(it.link));
        read += 1;
    }
    assert!(read >= 48 && unseen.is_empty(), "{unseen:?}");
}
