"""Writes a Parquet file of Adult, resampled with noise: engine_rows.py ADULT ROWS FILE"""

import sys

import duckdb

adult, rows, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
NAMES = (
    "age workclass fnlwgt education education_num marital_status occupation relationship race sex "
    "capital_gain capital_loss hours_per_week native_country income"
).split()
NUMBERS = "age fnlwgt education_num capital_gain capital_loss hours_per_week".split()


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


connection = duckdb.connect()
connection.execute("SET threads = 2; SET memory_limit = '2GB'; SET preserve_insertion_order = false")
read = ", ".join(f"CAST({name} AS INTEGER) AS {name}" if name in NUMBERS else f"trim({name}) AS {name}" for name in NAMES)
connection.execute(
    f"CREATE TABLE adult AS SELECT row_number() OVER () - 1 AS id, {read} FROM "
    f"read_csv({quoted(adult)}, header = false, names = {NAMES!r}, all_varchar = true) WHERE trim(income) <> ''"
)
count = connection.execute("SELECT count(*) FROM adult").fetchone()[0]
# Row i is one individual of Adult with some numbers moved, and some values of another one.
connection.execute(
    f"""COPY (
    SELECT CAST(greatest(a.age + h % 5 - 2, 17) AS SMALLINT) AS age,
        CASE WHEN g % 20 = 0 THEN b.workclass ELSE a.workclass END AS workclass,
        a.fnlwgt // 1000 + h // 4096 % 50 AS weight, a.education, a.education_num, a.marital_status,
        CASE WHEN g % 17 = 0 THEN b.occupation ELSE a.occupation END AS occupation,
        a.relationship, a.race, a.sex, a.capital_gain + h // 64 % 200 AS capital_gain, a.capital_loss,
        a.hours_per_week + g // 128 % 7 - 3 AS hours_per_week, a.native_country,
        CASE WHEN g % 33 = 0 THEN b.income ELSE a.income END AS income
    FROM (SELECT hash(i) % {count} AS x, hash(i + 7) % {count} AS y, CAST(hash(i * 3 + 1) % 1000003 AS INTEGER) AS h,
            CAST(hash(i * 5 + 2) % 1000003 AS INTEGER) AS g FROM range({rows}) AS t(i)) AS r
        JOIN adult AS a ON a.id = r.x JOIN adult AS b ON b.id = r.y
    ) TO {quoted(out)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 500000)"""
)
