//! PostgreSQL: rights, snapshots, types, lost connections.

use incrowd_core::{Error, ErrorKind};
use incrowd_sql::{Classes, Part, Remote, Source, SqlKind};
use incrowd_testkit::PostgresServer;

/// A table with names that need quotes, a domain, an enumeration, and a type that cannot be read.
const SCRIPT: &str = r#"
CREATE TYPE size AS ENUM ('small', 'large');
CREATE DOMAIN share AS numeric(5, 2);
CREATE SCHEMA "odd "" schema";
CREATE TABLE "odd "" schema"."a'; DROP" (b bool, w int, s real, d double precision, n share, t varchar(9), y date, e size, j json);
INSERT INTO "odd "" schema"."a'; DROP" VALUES
  (true, 1, 0.1, '-0', 1.5, 'a', '2020-02-29', 'small', '{}'),
  (false, 3, 0.2, 0, -2, 'A', '1969-12-31', 'large', '[]'),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (true, 2, 0.2, 1e300, 10.25, 'it''s', '2021-01-01', 'small', '1');
CREATE ROLE reader LOGIN;
CREATE ROLE stranger LOGIN;
GRANT USAGE ON SCHEMA "odd "" schema" TO reader;
GRANT SELECT ON "odd "" schema"."a'; DROP" TO reader;
CREATE TABLE plain (a int, secret int);
INSERT INTO plain VALUES (1, 7), (2, 7);
GRANT SELECT (a) ON plain TO reader;
-- What a hostile owner of a schema could put in place of a built-in function.
CREATE FUNCTION public.count(int) RETURNS bigint LANGUAGE sql AS 'SELECT 99::bigint';
"#;

fn open(server: &PostgresServer, role: &str, rest: &str) -> Result<Remote, Error> {
    let socket = server.socket().display();
    let source = Source::parse(&format!("postgresql://{role}@/postgres?{rest}&host={socket}"));
    Remote::open(&source.expect("an address"))
}

const ODD: &str = "table=a'; DROP&schema=odd \" schema";

#[test]
fn a_role_that_can_only_select_suffices() {
    let Some(server) = PostgresServer::start("select") else { return };
    server.run(SCRIPT);
    let mut remote = open(&server, "reader", ODD).expect("a table");
    let kinds: Vec<Option<SqlKind>> = remote.columns().iter().map(|column| column.kind).collect();
    assert_eq!(
        kinds[2..8],
        [SqlKind::Single, SqlKind::Double, SqlKind::Decimal, SqlKind::Text, SqlKind::Date, SqlKind::Text]
            .map(Some)
    );
    assert_eq!(kinds[8], None, "documents are not read");
    assert_eq!(remote.rows(), 4);
    for column in 0..8 {
        let dictionary = remote.dictionary(column).expect("values");
        let keys = &dictionary.keys;
        for pattern in 0..1_u32 << keys.len() {
            let of_key: Vec<u32> = (0..keys.len()).map(|key| pattern >> key & 1).collect();
            let part = Part::Classes(Classes { column, keys, of_key: &of_key });
            let counted = remote.counted(&[part]).expect("counts");
            let mut expected = [0, 0];
            of_key
                .iter()
                .zip(&dictionary.counts)
                .for_each(|(&class, count)| expected[class as usize] += count);
            for (class, count) in counted.parts[0].iter().zip(&counted.counts) {
                let class: usize = class.as_ref().expect("a class").parse().expect("a number");
                assert_eq!(*count, expected[class], "column {column}, pattern {pattern:b}");
            }
        }
    }

    // Others, and columns that may not be read.
    let error = open(&server, "stranger", "table=plain").expect_err("no right");
    assert!(error.what.contains("may not read"), "{error}");
    let mut some = open(&server, "reader", "table=plain").expect("a right to one column");
    assert_eq!(some.dictionary(0).expect("values").keys.len(), 2);
    assert!(some.dictionary(1).expect_err("no right").what.contains("may not read"));
    for (rest, what) in [("table=none", "no such table"), ("table=plain&schema=none", "no such table")] {
        assert!(open(&server, "reader", rest).expect_err("no table").what.contains(what));
    }
    let error = open(&server, "nobody", "table=plain").expect_err("no role");
    assert_eq!(error.kind, ErrorKind::Parameters);
}

#[test]
fn all_queries_see_the_same_rows() {
    let Some(server) = PostgresServer::start("snapshot") else { return };
    server.run(SCRIPT);
    let mut remote = open(&server, "owner", "table=plain").expect("a table");
    server.run("INSERT INTO plain SELECT n, n FROM generate_series(1, 100) n");
    assert_eq!(remote.rows(), 2);
    assert_eq!(remote.dictionary(1).expect("values").counts, [2]);
    assert_eq!(open(&server, "owner", "table=plain").expect("a table").rows(), 102);
}

#[test]
fn a_restarted_server_ends_a_run_with_a_clear_error() {
    let Some(server) = PostgresServer::start("restart") else { return };
    server.run(SCRIPT);
    let mut remote = open(&server, "owner", "table=plain").expect("a table");
    server.halt();
    server.resume();
    let error = remote.dictionary(0).expect_err("a lost connection");
    assert_eq!(error.kind, ErrorKind::Io);
    assert!(error.what.contains("connection"), "{error}");
    assert_eq!(open(&server, "owner", "table=plain").expect("a table").rows(), 2);
    // A statement that takes too long.
    server.run(
        "ALTER ROLE reader SET statement_timeout = 1; \
        CREATE VIEW slow AS SELECT 1 AS a FROM pg_sleep(1); GRANT SELECT ON slow TO reader;",
    );
    let error = open(&server, "reader", "table=slow").expect_err("a timeout");
    assert!(error.what.contains("cancelled"), "{error}");
}
