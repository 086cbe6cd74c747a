//! The pages themselves: links, contents, widths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Most lines and columns of the README.
const README_LINES: usize = 150;
const README_COLUMNS: usize = 120;

/// Most columns of a page of the manual.
const COLUMNS: usize = 100;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, pages: &mut Vec<String>, deeper: bool) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && deeper {
            collect(&path, pages, deeper);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let inside = path.strip_prefix(root()).expect("inside");
            pages.push(inside.to_str().expect("text").to_owned());
        }
    }
}

/// Every page: the Markdown of the root and of `docs`, as paths from the root.
pub fn all() -> Vec<String> {
    let mut pages = Vec::new();
    collect(root(), &mut pages, false);
    collect(&root().join("docs"), &mut pages, true);
    pages.sort();
    pages
}

/// What is in a page.
pub fn text(page: &str) -> String {
    std::fs::read_to_string(root().join(page)).unwrap_or_else(|e| panic!("{page}: {e}"))
}

/// The lines outside fences, with their numbers from 1.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fence = line.trim_start().starts_with("```");
        if !fence && !fenced {
            lines.push((index + 1, line));
        }
        fenced ^= fence;
    }
    lines
}

/// A line without its pieces of code.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of the links and pictures of a page, with their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in prose(text) {
        let line = without_code(line);
        for (at, _) in line.match_indices("](") {
            let rest = &line[at + 2..];
            let target = rest.split(')').next().expect("a target");
            found.push((number, target.to_owned()));
        }
    }
    found
}

/// The anchors of a page: its headings as forges and mdBook name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).into_iter().filter(|(_, line)| line.starts_with('#'));
    headings
        .map(|(_, line)| {
            let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            let kept: String =
                words.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect();
            let before = seen.entry(kept.clone()).or_default();
            *before += 1;
            if *before > 1 { format!("{kept}-{}", *before - 1) } else { kept }
        })
        .collect()
}

/// A path without `..` inside.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let mut tried = 0;
    for page in all() {
        let text = text(&page);
        for (line, target) in links(&text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            tried += 1;
            let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = Path::new(&page).parent().expect("a folder");
            let there =
                if path.is_empty() { PathBuf::from(&page) } else { plain(&folder.join(path)) };
            let exists = root().join(&there).exists();
            let known = || {
                let text = std::fs::read_to_string(root().join(&there)).unwrap_or_default();
                anchors(&text).contains(anchor)
            };
            if !exists || !anchor.is_empty() && !known() {
                broken.push(format!("{page}:{line}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    assert!(tried > 50, "only {tried} links were found");
}

#[test]
fn contents_and_pages_are_the_same() {
    let contents = links(&text("docs/SUMMARY.md"));
    let listed: Vec<String> = contents.iter().map(|(_, target)| format!("docs/{target}")).collect();
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let is_page = |page: &String| page.starts_with("docs/") && page != "docs/SUMMARY.md";
    let pages: BTreeSet<String> = all().into_iter().filter(is_page).collect();
    let missing: Vec<_> = pages.difference(&once).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
    let gone: Vec<_> = once.difference(&pages).collect();
    assert!(gone.is_empty(), "in docs/SUMMARY.md, but there is no such page: {gone:?}");
}

#[test]
fn the_readme_is_short() {
    let text = text("README.md");
    let lines = text.lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines, {README_LINES} are enough");
    for (index, line) in text.lines().enumerate() {
        let width = line.chars().count();
        assert!(width <= README_COLUMNS, "README.md:{} has {width} columns", index + 1);
    }
}

#[test]
fn pages_are_as_wide_as_the_sources() {
    let mut wide = Vec::new();
    for page in all().iter().filter(|page| page.starts_with("docs/")) {
        for (number, line) in prose(&text(page)) {
            let unbroken = ["|", "#", "<!--"].iter().any(|start| line.starts_with(start));
            let free = unbroken || line.contains("](");
            let width = line.chars().count();
            if width > COLUMNS && !free {
                wide.push(format!("{page}:{number}: {width} columns"));
            }
        }
    }
    assert!(wide.is_empty(), "wider than {COLUMNS}:\n{}", wide.join("\n"));
}

#[test]
fn equations_are_in_fences() {
    for page in all().iter().filter(|page| page.starts_with("docs/")) {
        let text = text(page);
        let prose = prose(&text).into_iter();
        let lines = prose.filter(|(_, line)| !line.starts_with("<!--"));
        for (number, line) in lines {
            // Inline ones are written as dollar, code, dollar.
            let dollars = without_code(line).matches('$').count();
            let inline = line.matches("$`").count() + line.matches("`$").count();
            assert!(dollars == inline, "{page}:{number}: put equations into ```math fences");
            assert!(!line.contains("\\\\("), "{page}:{number}: put equations into ```math fences");
        }
    }
}

#[test]
fn pictures_are_small() {
    for entry in std::fs::read_dir(root().join("docs/figures")).expect("a folder") {
        let entry = entry.expect("a picture");
        let size = entry.metadata().expect("a size").len();
        assert!(size < 100_000, "{} has {size} bytes", entry.path().display());
    }
}

#[test]
fn anchors_are_those_of_forges() {
    let found = anchors("# Numbers, in pandas\n## A & b_c\n## A & b_c\n```\n# no\n```\n");
    let expected = ["numbers-in-pandas", "a--b_c", "a--b_c-1"].map(str::to_owned);
    assert_eq!(found, BTreeSet::from(expected));
    assert_eq!(
        links("a [b](c.md#d) `[x](y)` ![p](q.png)\n"),
        [(1, "c.md#d".to_owned()), (1, "q.png".to_owned())]
    );
}
