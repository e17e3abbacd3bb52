//! A Python environment with the packages that tests and benchmarks compare with.

use crate::shell::{Done, cache, command, install, install_for_tests, output, run, works};
use std::path::{Path, PathBuf};

/// The packages for tests.
pub(crate) const TEST: &[&str] = &[
    "pycanon==1.3.6",
    "pandas==2.3.3",
    "numpy==2.0.2",
    "pyarrow==22.0.0",
    "jsonschema==4.25.1",
    "scikit-learn==1.9.1",
    "onnx==1.23.2",
    "onnxruntime==1.31.1",
    "skl2onnx==1.20.0",
    "duckdb==2.0.0",
    "pypmml==1.5.8",
    "jpmml-evaluator==0.16.0",
    "sklearn2pmml==0.133.1",
    "jpype1==1.7.1",
    "lightgbm==4.6.0",
    "xgboost-cpu==3.1.1",
    "catboost==1.2.10",
];

/// Additional packages for the Python package: its build, lints and tests.
pub(crate) const PACKAGE: &[&str] = &[
    "basedpyright==1.40.2",
    "maturin==1.16.0",
    "mypy==2.4.1",
    "polars==2.1.0",
    "pytest==9.2.0",
    "ruff==0.17.4",
];

/// Additional packages for benchmarks.
pub(crate) const BENCH: &[&str] = &[
    "polars==2.1.0",
    "lightgbm==4.6.0",
    "mlxtend==0.23.4",
    "anonypy==0.2.1",
    "ai-privacy-toolkit==0.2.1",
    "beartype==0.22.2",
];

/// Packages installed without their dependencies, which conflict with our version of pycanon.
const ALONE: &[&str] = &["anjana==1.2.3"];

/// Creates an environment with these packages (once) and returns its interpreter.
pub(crate) fn environment(packages: &[&str]) -> Result<PathBuf, String> {
    let folder = cache().join("python");
    let python = folder.join("bin/python");
    if !works(&python.to_string_lossy(), &["-m", "pip", "--version"]) {
        ensure_venv()?;
        run(command("python3", &["-m", "venv", "--clear"]).arg(&folder))?;
    }
    // A line for each set of packages: together their names are longer than the name of a file may be.
    let stamp = folder.join("installed.txt");
    let installed = std::fs::read_to_string(&stamp).unwrap_or_default();
    let set = packages.join(" ");
    if !installed.lines().any(|line| line == set) {
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(command(&python, &install).args(packages))?;
        if BENCH.iter().all(|package| packages.contains(package)) {
            run(command(&python, &install).arg("--no-deps").args(ALONE))?;
        }
        std::fs::write(&stamp, format!("{installed}{set}\n")).map_err(|error| error.to_string())?;
    }
    Ok(python)
}

/// Installs Java, which the PMML evaluators need.
pub(crate) fn ensure_java() -> Done {
    if works("java", &["-version"]) { Ok(()) } else { install("Java", &["default-jre-headless"]) }
}

/// Installs the database server that exports are tested in.
pub(crate) fn ensure_postgresql() -> Done {
    if std::path::Path::new("/usr/lib/postgresql").exists() {
        return Ok(());
    }
    install("PostgreSQL", &["postgresql"])
}

/// Where Python's own library and DuckDB's are, and the version of the former, each in a line.
const LIBRARIES: &str = "import sysconfig, _duckdb; v = sysconfig.get_config_vars(); \
    print(_duckdb.__file__); print(v['LIBDIR']); print(v.get('MULTIARCH') or ''); print(v.get('INSTSONAME') or ''); \
    print(v['py_version_short'])";

/// DuckDB's library for other programs than Python: the one in its wheel, which needs Python's library, linked with it.
pub(crate) fn duckdb_library(python: &Path) -> Result<PathBuf, String> {
    let found = output(&mut command(python, &["-c", LIBRARIES]))?;
    let [duckdb, folder, multiarch, name, version] = found.lines().collect::<Vec<_>>()[..] else {
        return Err("Python's configuration is unknown".to_owned());
    };
    let places = || [Path::new(folder).join(name), Path::new(folder).join(multiarch).join(name)];
    if !places().iter().any(|place| place.is_file()) {
        install("Python's library", &[&format!("libpython{version}")])?;
    }
    let library = places().into_iter().find(|place| place.is_file()).ok_or("Python's library is missing")?;
    let linked = cache().join("duckdb").join("libduckdb.so");
    std::fs::create_dir_all(cache().join("duckdb")).map_err(|error| error.to_string())?;
    let link = ["-shared", "-x", "c", "/dev/null", "-x", "none", "-Wl,--no-as-needed", "-o"];
    run(command("cc", &link).arg(&linked).args([library, PathBuf::from(duckdb)]).arg(format!(
        "-Wl,-rpath,{folder},-rpath,{}",
        Path::new(duckdb).parent().unwrap_or(Path::new("/")).display()
    )))?;
    Ok(linked)
}

/// Installs Weka, which learners are compared with.
pub(crate) fn ensure_weka() -> Done {
    let is_there = std::env::var_os("WEKA_JAR").is_some() || Path::new("/usr/share/java/weka.jar").exists();
    if is_there { Ok(()) } else { install_for_tests("Weka", &["weka"]) }
}

fn ensure_venv() -> Done {
    let is_there = works("python3", &["-c", "import venv, ensurepip"]);
    if is_there { Ok(()) } else { install("Python's venv", &["python3", "python3-venv"]) }
}
