//! The fences of a page, with what comments say about them.

/// A fence.
#[derive(Debug, PartialEq)]
pub struct Block {
    /// The word after the backticks.
    pub language: String,
    /// What is between them.
    pub text: String,
    /// The line that it begins at.
    pub line: usize,
    /// What tests do instead of what it says.
    pub instead: Option<Instead>,
}

/// What a comment before a fence asks for.
#[derive(Debug, PartialEq)]
pub enum Instead {
    /// Nothing, for a reason.
    Skip(String),
    /// Other commands.
    Run(String),
}

impl Block {
    /// The file that it is the content of: `# NAME.toml` in the first line.
    pub fn file(&self) -> Option<&str> {
        let name = self.text.lines().next()?.strip_prefix("# ")?;
        let ending = match self.language.as_str() {
            "toml" => ".toml",
            "python" => ".py",
            _ => return None,
        };
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
        (name.ends_with(ending) && plain).then_some(name)
    }
}

const OPEN: &str = "<!-- test:";
const CLOSE: &str = "-->";

/// The fences of a page in order.
pub fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut instead = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let place = format!("{page}:{}", index + 1);
        if let Some(rest) = line.strip_prefix(OPEN) {
            assert!(instead.is_none(), "{place}: two comments before one fence");
            let more = lines.by_ref().map(|(_, line)| line);
            instead = Some(comment(&place, std::iter::once(rest).chain(more)));
        } else if let Some(language) = line.strip_prefix("```") {
            let language = language.trim().to_owned();
            let inside = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            let text = inside.map(|line| format!("{line}\n")).collect();
            found.push(Block { language, text, line: index + 1, instead: instead.take() });
        } else {
            assert!(instead.is_none(), "{place}: the comment of a test is not before a fence");
        }
    }
    assert!(instead.is_none(), "{page}: the comment of a test is not before a fence");
    found
}

/// What a comment says, read up to its end.
fn comment<'a>(place: &str, lines: impl Iterator<Item = &'a str>) -> Instead {
    let mut text = String::new();
    for line in lines {
        if let Some(last) = line.trim_end().strip_suffix(CLOSE) {
            text += last;
            let text = text.trim();
            return match text.strip_prefix("skip,") {
                Some(why) if !why.trim().is_empty() => Instead::Skip(why.trim().to_owned()),
                _ => {
                    assert!(!text.is_empty() && !text.starts_with("skip"), "{place}: skip, why?");
                    Instead::Run(text.to_owned())
                }
            };
        }
        text += line;
        text += "\n";
    }
    panic!("{place}: the comment does not end");
}

#[test]
fn fences_and_their_comments_are_found() {
    let text = "a\n```toml\n# a.toml\nb = 1\n```\n<!-- test: skip, slow -->\n```sh\nx\n```\n\
                <!-- test:\nshort \\\n  y\n-->\n```sh\nlong\n```\n```text\n# a.toml\n```\n";
    let found = blocks("page", text);
    assert_eq!(found.iter().map(|b| b.line).collect::<Vec<_>>(), [2, 7, 14, 17]);
    assert_eq!(found[0].file(), Some("a.toml"));
    assert_eq!(found[0].text, "# a.toml\nb = 1\n");
    assert_eq!(found[1].instead, Some(Instead::Skip("slow".to_owned())));
    assert_eq!(found[2].instead, Some(Instead::Run("short \\\n  y".to_owned())));
    assert_eq!(found[2].text, "long\n");
    assert_eq!((found[3].file(), &found[3].instead), (None, &None));
}
