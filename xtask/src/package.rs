//! The Python package: its wheel, lints and tests.

use crate::python::{self, PACKAGE, TEST};
use crate::shell::{Done, cache, command, root, run};
use std::path::{Path, PathBuf};

/// The oldest supported version of scikit-learn. Newer ones are pinned with the other packages.
const OLDEST_SKLEARN: &str = "1.6.1";

/// `cargo xtask wheel`: the wheel that is given away.
pub(crate) fn release_wheel() -> Done {
    let wheel = wheel(&environment()?, "release")?;
    eprintln!("the wheel is {}", wheel.display());
    Ok(())
}

/// Installs the release wheel into a fresh environment and returns its interpreter.
pub(crate) fn installed() -> Result<PathBuf, String> {
    let python = environment()?;
    fresh_environment(&python, &wheel(&python, "release")?)
}

/// Checks the package's code, installs its wheel into a fresh environment, and runs its tests there.
pub(crate) fn test() -> Done {
    let python = environment()?;
    run(&mut command(&python, &["-m", "ruff", "format", "--check", "python"]))?;
    run(&mut command(&python, &["-m", "ruff", "check", "--no-cache", "python"]))?;
    run(&mut command(&python, &["-m", "mypy", "--cache-dir", "target/xtask/mypy"]))?;
    run(command(&python, &["-m", "basedpyright", "--pythonpath"]).arg(&python))?;
    // The profile that compiles fastest; that of tests would make a test of the extension module.
    let wheel = wheel(&python, "dev")?;
    let fresh = fresh_environment(&python, &wheel)?;
    run(&mut command(&fresh, &["-m", "pytest", "--doctest-modules", "--pyargs", "incrowd", "python/tests"]))?;
    let oldest = oldest_sklearn(&python)?;
    run(command(&fresh, &["-m", "pytest", "python/tests/test_sklearn.py"]).env("PYTHONPATH", oldest))
}

fn environment() -> Result<PathBuf, String> {
    python::environment(&[TEST, PACKAGE].concat())
}

/// Builds the wheel and returns its path.
fn wheel(python: &Path, profile: &str) -> Result<PathBuf, String> {
    let folder = root().join("target/wheels").join(profile);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    }
    let build = ["-m", "maturin", "build", "--locked", "--quiet", "--profile", profile, "--out"];
    run(command(python, &build).arg(&folder).arg("--interpreter").arg(python))?;
    let files = std::fs::read_dir(&folder).map_err(|error| error.to_string())?;
    let mut wheels = files.flatten().map(|file| file.path());
    wheels.next().ok_or_else(|| format!("no wheel in {}", folder.display()))
}

/// Creates an environment with nothing but the wheel; what it depends on is found in the environment of `python`.
fn fresh_environment(python: &Path, wheel: &Path) -> Result<PathBuf, String> {
    let folder = root().join("target/xtask/package");
    run(command(python, &["-m", "venv", "--clear", "--without-pip"]).arg(&folder))?;
    let fresh = folder.join("bin/python");
    let packages = "import sysconfig; print(sysconfig.get_path('purelib'))";
    let dependencies = crate::shell::output(&mut command(python, &["-c", packages]))?;
    let own = crate::shell::output(&mut command(&fresh, &["-c", packages]))?;
    let link = Path::new(own.trim()).join("dependencies.pth");
    std::fs::write(&link, dependencies).map_err(|error| error.to_string())?;
    let install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"];
    run(command(python, &["-m", "pip", "--python"]).arg(&fresh).args(install).arg(wheel))?;
    Ok(fresh)
}

/// A folder with the oldest supported version of scikit-learn, which is used where it comes first on Python's path.
fn oldest_sklearn(python: &Path) -> Result<PathBuf, String> {
    let folder = cache().join(format!("scikit-learn-{OLDEST_SKLEARN}"));
    if !folder.join("sklearn").exists() {
        let install =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"];
        run(command(python, &install).arg(&folder).arg(format!("scikit-learn=={OLDEST_SKLEARN}")))?;
    }
    Ok(folder)
}
