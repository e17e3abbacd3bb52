use super::*;
use crate::data::zip::tests::archive;
use incrowd_core::progress::Silent;
use std::net::TcpListener;

const CONTENT: &[u8] = b"1,2\n3,4\n";

const FILE: DataFile = DataFile {
    name: "small.data",
    bytes: 8,
    sha256: "96bbd5de61f36b0e10c5771d180998d066192e8986aa34a8cb7c453f62959274",
    sources: &[],
};

/// Answers one request with these bytes; returns the address.
fn serve(body: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/file", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let _length = stream.read(&mut request).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).unwrap();
    });
    address
}

fn fetched(address: String, members: &'static [&'static str]) -> Result<Vec<u8>, String> {
    let place = Place { address, members, https_only: false };
    let mut bytes = Vec::new();
    match stream(&place, &FILE) {
        Ok(mut stream) => stream.read_to_end(&mut bytes).map(|_| bytes).map_err(|error| error.to_string()),
        Err(Failure::DownloadSource(reason)) => Err(reason),
        Err(Failure::Here(error)) => Err(error.to_string()),
    }
}

#[test]
fn a_file_comes_plain_or_from_archives_in_archives() {
    let inner = archive(&[("other", b""), ("small.data", CONTENT)]);
    let outer = archive(&[("inner.zip", &inner)]);
    assert_eq!(fetched(serve(CONTENT.to_vec()), &[]).unwrap(), CONTENT);
    assert_eq!(fetched(serve(inner), &["small.data"]).unwrap(), CONTENT);
    assert_eq!(fetched(serve(outer), &["inner.zip", "small.data"]).unwrap(), CONTENT);
    assert!(fetched(serve(b"<html>".to_vec()), &["small.data"]).unwrap_err().contains("damaged"));
}

#[test]
fn what_is_published_comes_by_https_or_not_at_all() {
    let address = serve(CONTENT.to_vec());
    let place = Place { address, members: &[], https_only: true };
    assert!(
        matches!(stream(&place, &FILE), Err(Failure::DownloadSource(reason)) if reason.contains("https"))
    );
}

#[test]
fn only_the_right_bytes_get_the_name() {
    let folder = std::env::temp_dir().join(format!("incrowd-get-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(FILE.name);
    let getting = Getting { cache: &folder, mirror: None, progress: &Silent };
    let store = |bytes: &[u8]| match getting.store(&mut Cursor::new(bytes.to_vec()), &FILE, &path) {
        Ok(()) => String::new(),
        Err(Failure::DownloadSource(reason)) => reason,
        Err(Failure::Here(error)) => panic!("{error}"),
    };
    for (bytes, reason) in [
        (&b"1,2\n"[..], "4 bytes instead of 8"),
        (b"1,2\n3,4\n5", "more than the expected 8 bytes"),
        (b"1,2\n3,5\n", "a different file"),
    ] {
        let told = store(bytes);
        assert!(told.contains(reason), "{told}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{reason}");
    }
    assert_eq!(store(CONTENT), "");
    assert!(is(&path, &FILE));
    fs::write(&path, b"1,2\n3,5\n").unwrap();
    assert!(!is(&path, &FILE));
    fs::remove_dir_all(&folder).unwrap();
}
