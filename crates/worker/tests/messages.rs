//! Messages survive the way to JavaScript and back (run in a browser by the wasm stage).

#![cfg(target_arch = "wasm32")]

use promenade_protocol::{Event, Experiment, File, Progress, Property, Report, Request, Settings};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

fn to_js(request: &Request) -> JsValue {
    promenade_messages::write_request(request).unwrap()
}

fn back(event: &Event) -> Event {
    let value = promenade_messages::write_event(event).unwrap();
    promenade_messages::read_event(value).unwrap()
}

fn experiment() -> Experiment {
    Experiment {
        files: vec![File { name: "m.pml".to_owned(), text: "init { skip }".to_owned() }],
        property: Property::Claim { name: Some("c".to_owned()) },
        settings: Settings { depth_limit: Some(3), ..Settings::default() },
    }
}

#[wasm_bindgen_test]
fn requests() {
    let requests = [
        Request::Parse { job: 1, experiment: experiment(), formulas: vec!["[] p".to_owned()] },
        Request::Check { job: u32::MAX, experiment: Experiment::default() },
        Request::Replay {
            job: 2,
            experiment: experiment(),
            choices: vec![0, 7],
            checksum: 1 << 31,
            stem: Some(1),
        },
        Request::Simulate { job: 3, experiment: experiment(), seed: 1 << 40, steps: 9 },
        Request::Cancel { job: 4 },
    ];
    for request in requests {
        assert_eq!(promenade_messages::read_request(to_js(&request)), Ok(request));
    }
    // As somebody else writes it.
    let written = js_sys::JSON::parse(r#"{ "t": "cancel", "job": 4 }"#).unwrap();
    assert_eq!(promenade_messages::read_request(written), Ok(Request::Cancel { job: 4 }));
    for wrong in ["{}", "[]", "null", r#""hello""#, r#"{ "t": 1 }"#, r#"{ "t": "dance" }"#] {
        let value = js_sys::JSON::parse(wrong).unwrap();
        assert!(promenade_messages::read_request(value).is_err(), "{wrong}");
    }
}

#[wasm_bindgen_test]
fn events() {
    let progress = Progress { states: 1 << 40, rate: 0.5, ..Progress::default() };
    let report: Report = promenade_service::check(experiment());
    let events = [
        Event::Ready { version: "0".to_owned() },
        Event::Progress { job: 1, progress: progress.clone() },
        Event::Progress { job: 1, progress: Progress { states: u64::MAX, ..progress } },
        Event::Report { job: 2, report: Box::new(report) },
    ];
    for event in events {
        assert_eq!(back(&event), event);
    }
    let ready = promenade_messages::write_event(&Event::Ready { version: "0".to_owned() }).unwrap();
    let tag = js_sys::Reflect::get(&ready, &"t".into()).unwrap();
    assert_eq!(tag.dyn_into::<js_sys::JsString>().unwrap(), "ready");
}
