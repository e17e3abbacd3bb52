//! `incrowd data` against a server on this machine.

use crate::{Folder, Ran, data, incrowd, run};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What the server answers to a request for a path.
type Answers = dyn Fn(&str) -> Answer + Send + Sync;

enum Answer {
    Status(&'static str),
    Body(Vec<u8>),
    /// Some of the bytes it promises, and no more.
    Part(Vec<u8>, usize),
    Redirect(String),
}

/// A server of files for one test.
struct Server {
    url: String,
    requests: Arc<AtomicUsize>,
}

impl Server {
    fn new(answers: Box<Answers>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                seen.fetch_add(1, Ordering::SeqCst);
                answer(stream.unwrap(), &*answers);
            }
        });
        Self { url, requests }
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

fn answer(mut stream: TcpStream, answers: &Answers) {
    let mut request = Vec::new();
    let mut block = [0; 1024];
    while !request.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut block) {
            Ok(length) if length > 0 => request.extend(&block[..length]),
            _ => return,
        }
    }
    let request = String::from_utf8(request).unwrap();
    let (head, body) = match answers(request.split(' ').nth(1).unwrap()) {
        Answer::Status(status) => (format!("{status}\r\ncontent-length: 0"), Vec::new()),
        Answer::Body(bytes) => (format!("200 OK\r\ncontent-length: {}", bytes.len()), bytes),
        Answer::Part(bytes, length) => (format!("200 OK\r\ncontent-length: {length}"), bytes),
        Answer::Redirect(to) => (format!("302 Found\r\nlocation: {to}\r\ncontent-length: 0"), Vec::new()),
    };
    // The client may close the connection early.
    let _told = stream
        .write_all(format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n").as_bytes())
        .and_then(|()| stream.write_all(&body));
}

/// Gets a data set from a mirror, without any proxy of the environment.
fn get(name: &str, cache: &Folder, server: &str, more: &[&str]) -> Ran {
    let mut program = Command::new(env!("CARGO_BIN_EXE_incrowd"));
    for proxy in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY"] {
        program.env_remove(proxy).env_remove(proxy.to_lowercase());
    }
    let cache = cache.path("cache");
    run(program.args(["data", "get", name, "--cache", &cache, "--from", server]).args(more))
}

/// The benchmark data as a mirror, if it is there.
fn mirror() -> Option<Server> {
    let german = data("german-credit/german.data")?;
    let root = std::path::Path::new(&german).ancestors().nth(2).unwrap().to_owned();
    Some(Server::new(Box::new(move |path| {
        let path = path.trim_start_matches('/').replace("groceries/", "transactions/");
        std::fs::read(root.join(path)).map_or(Answer::Status("404 Not Found"), Answer::Body)
    })))
}

#[test]
fn the_list_names_every_set_and_where_they_are_kept() {
    let folder = Folder::new();
    let ran = incrowd(&["data", "list", "--cache", &folder.path("here")]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    for part in ["adult", "48,842", "tic-tac-toe", "groceries", &folder.path("here")] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let json = incrowd(&["data", "list", "--cache", &folder.path("here"), "--json"]).json();
    assert_eq!(json.as_array().unwrap().len(), 7);
    assert_eq!((&json[0]["name"], &json[0]["cached"]), (&"adult".into(), &false.into()));
    assert!(folder.names().is_empty(), "looking leaves nothing behind");
}

#[test]
fn an_unknown_name_is_told_the_known_ones() {
    let ran = incrowd(&["data", "get", "german"]);
    assert_eq!(ran.status, 2);
    for name in ["adult", "german-credit", "tic-tac-toe"] {
        assert!(ran.err.contains(name), "{}", ran.err);
    }
}

#[test]
fn a_set_is_fetched_once_and_then_kept() {
    let Some(server) = mirror() else { return };
    let folder = Folder::new();
    let ran = get("german-credit", &folder, &server.url, &["--json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let json = ran.json();
    assert_eq!((&json["files"][0]["fetched"], server.requests()), (&true.into(), 1));
    assert!(json["licence"].as_str().unwrap().contains("CC BY") && json["citation"].is_string());
    let kept = folder.path("cache/german-credit/german.data");
    assert_eq!((&json["files"][0]["path"], server.requests()), (&kept.as_str().into(), 1));
    // No server listens at this address.
    let again = get("german-credit", &folder, "http://127.0.0.1:9", &["--json"]);
    assert_eq!((again.status, &again.json()["files"][0]["fetched"]), (0, &false.into()));
    std::fs::write(&kept, "damaged").unwrap();
    let repaired = get("german-credit", &folder, &server.url, &["--json"]);
    assert_eq!((repaired.status, &repaired.json()["files"][0]["fetched"]), (0, &true.into()));
    assert_eq!(server.requests(), 2);
    let list = incrowd(&["data", "list", "--cache", &folder.path("cache"), "--json"]).json();
    let cached: Vec<&str> = list
        .as_array()
        .unwrap()
        .iter()
        .filter(|set| set["cached"] == true)
        .map(|set| set["name"].as_str().unwrap())
        .collect();
    assert_eq!(cached, ["german-credit"]);
}

#[test]
fn what_is_in_the_way_is_replaced_only_by_force() {
    let Some(server) = mirror() else { return };
    let folder = Folder::new();
    let out = folder.path("out");
    let into = |more: &[&str]| get("glass", &folder, &server.url, &[&["--out", &out], more].concat());
    assert_eq!(into(&[]).status, 0);
    let read = |name: &str| std::fs::read_to_string(format!("{out}/{name}")).unwrap();
    let (data, policy) = (read("glass.data"), read("policy.toml"));
    assert_eq!(into(&[]).status, 0, "what is there already is fine");
    std::fs::write(format!("{out}/policy.toml"), "class = \"mine\"").unwrap();
    let ran = into(&[]);
    assert_eq!((ran.status, read("policy.toml").as_str()), (0, "class = \"mine\""));
    assert!(ran.err.contains("was not changed"), "{}", ran.err);
    std::fs::write(format!("{out}/glass.data"), "mine").unwrap();
    let ran = into(&[]);
    assert_eq!((ran.status, read("glass.data").as_str()), (2, "mine"));
    assert!(ran.err.contains("already exists"), "{}", ran.err);
    assert_eq!(into(&["--force"]).status, 0);
    assert_eq!((read("glass.data"), read("policy.toml")), (data, policy));
}

/// A bad download is an error that explains how to download by hand, and leaves no file.
#[test]
fn nothing_wrong_is_kept() {
    let folder = Folder::new();
    let wrong: [(Box<Answers>, &str); 5] = [
        (Box::new(|_| Answer::Body(vec![b'1'; 11_903])), "a different file: its SHA-256"),
        (Box::new(|_| Answer::Body(vec![b'1'; 11_904])), "more than the expected 11903 bytes"),
        (Box::new(|_| Answer::Part(vec![b'1'; 500], 11_903)), "interrupted after 500 bytes"),
        (Box::new(|_| Answer::Status("404 Not Found")), "no longer exists"),
        (Box::new(|_| Answer::Status("503 Service Unavailable")), "status 503"),
    ];
    for (answers, reason) in wrong {
        let server = Server::new(answers);
        let ran = get("glass", &folder, &server.url, &[]);
        assert_eq!(ran.status, 2, "{reason}: {}", ran.out);
        for part in
            [reason, "save it as", "https://archive.ics.uci.edu", &folder.path("cache/glass/glass.data")]
        {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
        assert_eq!(std::fs::read_dir(folder.path("cache/glass")).unwrap().count(), 0, "{reason}");
    }
}

#[test]
fn without_a_connection_the_way_out_is_told() {
    let folder = Folder::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dead_address = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let ran = get("adult", &folder, &dead_address, &["--json"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("could not be fetched") && ran.err.contains("save it as"), "{}", ran.err);
    assert!(ran.json()["error"]["help"].as_str().unwrap().contains("SHA-256"), "{}", ran.out);
    let ran = get("adult", &folder, "ftp://127.0.0.1", &[]);
    assert!(ran.status == 2 && ran.err.contains("http://"), "{}", ran.err);
}

#[test]
fn redirects_are_followed_but_not_for_ever() {
    let Some(mirror) = mirror() else { return };
    let folder = Folder::new();
    let goal = Mutex::new(format!("{}/glass/glass.data", mirror.url));
    let once = Server::new(Box::new(move |_| Answer::Redirect(goal.lock().unwrap().clone())));
    let ran = get("glass", &folder, &once.url, &[]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let round = Server::new(Box::new(|_| Answer::Redirect("/again".to_owned())));
    let ran = get("tic-tac-toe", &folder, &round.url, &[]);
    assert!(ran.status == 2 && ran.err.contains("redirect"), "{}", ran.err);
    assert!(round.requests() < 10);
}

/// Each set that is there, from the server to a release.
#[test]
fn every_policy_fits_its_data() {
    let Some(server) = mirror() else { return };
    let folder = Folder::new();
    for name in ["adult", "german-credit", "glass", "tic-tac-toe", "groceries"] {
        let out = folder.path(name);
        let json = get(name, &folder, &server.url, &["--out", &out, "--json"]).json();
        let path = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
        let (data, policy) = (path(&json["files"][0]["path"]), path(&json["policy"]));
        let release = folder.path(&format!("{name}.json"));
        let files = ["--data", &data, "--policy", &policy, "--out", &release];
        let command: &[&str] = match name {
            "groceries" => &["rules", "--min-support", "0.005", "--min-confidence", "0.3"],
            "adult" => &["tree", "--max-leaves", "20"],
            _ => &["tree"],
        };
        let ran = incrowd(&[command, &files].concat());
        assert_eq!(ran.status, 0, "{name}: {}", ran.err);
        let audit = incrowd(&["audit", &release, "--data", &data, "--policy", &policy]);
        assert_eq!(audit.status, 0, "{name}: {}{}", audit.out, audit.err);
    }
    let test = folder.path("adult/adult.test");
    let ran = incrowd(&[
        "predict",
        &folder.path("adult.json"),
        "--data",
        &test,
        "--policy",
        &folder.path("adult/policy.toml"),
        "--json",
    ]);
    assert_eq!((ran.status, &ran.json()["rows"]), (0, &15_060.into()), "{}{}", ran.out, ran.err);
}
