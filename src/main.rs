//! The `zerostokes` program; everything is in the library.

fn main() -> std::process::ExitCode {
    zerostokes::cli::main()
}
