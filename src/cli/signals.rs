//! Ctrl-C, SIGTERM and SIGHUP: a run stops at the end of a step, after a checkpoint.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Error;

/// A signal that asks the program to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// SIGTERM, as a batch system or a shutdown sends it.
    Terminate,
    /// SIGHUP, when the terminal or the connection closes.
    HangUp,
}

impl Signal {
    /// What the program exits with when it stopped on this signal.
    pub fn exit_code(self) -> u8 {
        let number = match self {
            Self::Interrupt => SIGINT,
            Self::Terminate => SIGTERM,
            Self::HangUp => SIGHUP,
        };
        128 + number as u8
    }

    /// The usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
            Self::HangUp => "SIGHUP",
        }
    }
}

/// Whether the program was asked to stop. Clones share the answer; the default one is never asked.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens from now on. The first signal is noted; a Ctrl-C after it ends the program at once.
    pub fn listen() -> Result<Self, Error> {
        let interrupt = Self::default();
        interrupt.register().map_err(|source| Error::Signals { source })?;
        Ok(interrupt)
    }

    /// The signal that came, if any.
    pub fn requested(&self) -> Option<Signal> {
        match self.signal.load(Ordering::Relaxed) as i32 {
            SIGINT => Some(Signal::Interrupt),
            SIGTERM => Some(Signal::Terminate),
            SIGHUP => Some(Signal::HangUp),
            _ => None,
        }
    }

    /// The actions of one signal run in the order they are registered in: the exit comes before the
    /// flag it looks at is raised, so that only a later signal exits.
    fn register(&self) -> std::io::Result<()> {
        let asked = Arc::new(AtomicBool::new(false));
        let code = Signal::Interrupt.exit_code().into();
        flag::register_conditional_shutdown(SIGINT, code, Arc::clone(&asked))?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            flag::register(signal, Arc::clone(&asked))?;
            flag::register_usize(signal, Arc::clone(&self.signal), signal as usize)?;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use signal_hook::low_level::raise;
    use std::process::Command;

    /// Signals reach the whole process, so each test of them runs in a process of its own: this
    /// very test, started again with the signals to raise in a variable.
    fn exit_code_after(signals: &str) -> Option<i32> {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program);
        child.args(["--exact", "cli::signals::tests::raised_in_a_child", "--ignored"]);
        child.env("ZEROSTOKES_TEST_SIGNALS", signals).output().unwrap().status.code()
    }

    #[test]
    #[ignore = "started by the other tests"]
    fn raised_in_a_child() {
        let interrupt = Interrupt::listen().unwrap();
        assert_eq!(interrupt.requested(), None);
        let signals = std::env::var("ZEROSTOKES_TEST_SIGNALS").unwrap_or_default();
        for signal in signals.split_whitespace() {
            raise(signal.parse().unwrap()).unwrap();
        }
        let Some(signal) = interrupt.requested() else { return };
        std::process::exit(i32::from(signal.exit_code()) + 100);
    }

    #[test]
    fn the_first_signal_is_noted_and_a_second_ctrl_c_exits_at_once() {
        assert_eq!(exit_code_after(""), Some(0));
        assert_eq!(exit_code_after("2"), Some(230));
        assert_eq!(exit_code_after("15"), Some(243));
        assert_eq!(exit_code_after("15 15"), Some(243));
        assert_eq!(exit_code_after("2 2"), Some(130));
        assert_eq!(exit_code_after("15 2"), Some(130));
    }

    #[test]
    fn exit_codes_and_names_are_the_usual_ones() {
        assert_eq!((Signal::Interrupt.exit_code(), Signal::Interrupt.name()), (130, "SIGINT"));
        assert_eq!((Signal::Terminate.exit_code(), Signal::Terminate.name()), (143, "SIGTERM"));
    }
}
