//! Configurations that cannot be read: the exact messages, with the line and what is missing.

mod common;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use common::case;
use program::scratch;
use zerostokes::analysis::mobility::{self, Snapshot};
use zerostokes::record::{WhichFrame, read_frame};

/// A case whose particles do not matter.
const ANY: &str = "[particles]\ncount = 10\nvolume_fraction = 0.1\n";

/// The complaint about a text, without the directory.
fn complaint_about(name: &str, text: &str) -> String {
    let directory = scratch(&format!("bad-{name}"));
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    let solved = read_frame(&path, WhichFrame::Last)
        .and_then(|read| mobility::solve(&case(ANY), &Snapshot::new(&path, &read)).map(|_| ()));
    let error = solved.unwrap_err();
    assert_eq!(error.exit_code(), 2);
    error.to_string().replace(&format!("{}/", directory.display()), "")
}

const BOX: &str = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n\
                   0 20\n0 20\n0 20\n";

#[test]
fn columns_that_change_after_the_first_sphere_are_refused() {
    let text = "#format x_y_z_r_attrs\n0 0 0 1\n# x y z r vx vy vz\n3 0 0 1 1 2 3\n";
    assert_eq!(complaint_about("y", text), "y:3: names other columns after the first sphere");
}

#[test]
fn half_a_velocity_is_refused() {
    let text = "#format x_y_z_r_attrs\n# x y z r vx vy\n0 0 0 1 1 2\n3 0 0 1 1 2\n";
    assert_eq!(
        complaint_about("y", text),
        "y:2: `x y z r vx vy` has not all of `vx vy vz`, side by side"
    );
}

/// The columns of a whole dump, and what is said where some are missing.
const ATOMS: &str = "ITEM: ATOMS id type radius x y z\n";
const WRITE_DUMP: &str = "write it with `dump 1 all custom 1000 FILE id type radius x y z vx vy vz \
                          omegax omegay omegaz`";

#[test]
fn dumps_without_the_columns_that_it_takes_are_refused() {
    let remedy = WRITE_DUMP;
    for (text, expected) in [
        (
            format!("{BOX}ITEM: ATOMS id type x y z\n1 1 1 1 1\n2 1 5 5 5\n"),
            format!("a:9: no column radius or diameter among `id type x y z`; {remedy}"),
        ),
        (
            format!("{BOX}ITEM: ATOMS type radius x y z\n"),
            format!("a:9: no column id among `type radius x y z`; {remedy}"),
        ),
        (
            format!("{BOX}ITEM: ATOMS id radius vx vy vz\n"),
            format!("a:9: no columns x y z among `id radius vx vy vz`; {remedy}"),
        ),
        (
            format!("{BOX}ITEM: ATOMS id radius x yu zs\n"),
            "a:9: positions are of mixed or incomplete styles: `x yu zs`; \
             write x y z, xu yu zu or xs ys zs"
                .to_owned(),
        ),
        (
            format!("{BOX}ITEM: ATOMS id radius x y z vx vz\n"),
            format!("a:9: velocities are incomplete: `vx vz` without `vy`; {remedy}"),
        ),
        (
            format!("{BOX}ITEM: ATOMS id radius x y z omegaz\n"),
            format!("a:9: spins are incomplete: `omegaz` without `omegax omegay`; {remedy}"),
        ),
        (
            format!("{BOX}ITEM: ATOMS id radius x y z angmomx angmomy angmomz\n"),
            format!(
                "a:9: spins are incomplete: `angmomx angmomy angmomz` without `mass`; {remedy}"
            ),
        ),
    ] {
        assert_eq!(complaint_about("a", &text), expected);
    }
}

#[test]
fn dumps_that_end_early_or_contradict_themselves_are_refused_with_the_line() {
    let atoms = ATOMS;
    for (text, expected) in [
        (
            format!("{BOX}{atoms}1 1 1 2 2 2\n"),
            "f:10: the file ends behind this line, before atom 2 of 2",
        ),
        (
            format!("{BOX}{atoms}1 1 1 2 2 2\n2 1 1 5 5 5\n{BOX}{atoms}1 1 1 2 2 2\n"),
            "f:21: the file ends behind this line, before atom 2 of 2; \
             the last whole frame is --frame 1",
        ),
        (format!("{BOX}{atoms}1 1 1 2 2\n"), "f:10: has 5 columns where ITEM: ATOMS names 6"),
        (
            format!("{BOX}{atoms}1 1 1 2 2 2\n1 1 1 5 5 5\n"),
            "f:11: atom 1 is there twice: here and in line 10",
        ),
        (
            format!("{BOX}{atoms}1 1 1 2 2 2\n2 1 1 5 65 5\n"),
            "f:11: atom 2 is 2.250 boxes outside of the box along y; the box and the coordinates are \
             not of the same configuration, or the coordinates are unwrapped and not called so \
             (xu yu zu)",
        ),
        (
            format!("{BOX}{atoms}1 1 1 2 2 2\n2 1 1 3 2 2\n"),
            "f:11: particles 1 (line 10) and 2 overlap by 1.000 of the smaller radius, beyond what \
             contacts are made for (0.25); are radii and diameters mixed up, or is the box of \
             another configuration?",
        ),
        (
            format!("{}{atoms}1 1 1 2 2 2\n2 1 1 5 5 5\n", BOX.replace("pp pp pp", "pp ff pp")),
            "f:1: the box repeats along x and z only, and walls are not known here; boxes repeat in \
             all directions or in none",
        ),
        (
            BOX.replace("0 20\n0 20\n", "0 20\n0\n"),
            "f:7: the bounds along y are 2 numbers here, found 1",
        ),
        ("ITEM: TIMESTEP\n0\n7\n".to_owned(), "f:3: expected `ITEM: …`, found `7`"),
    ] {
        assert_eq!(complaint_about("f", &text), expected);
    }
}

#[test]
fn bad_data_files_are_refused_with_the_line_and_what_is_missing() {
    let head = "made up\n\n2 atoms\n\n0 20 xlo xhi\n0 20 ylo yhi\n0 20 zlo zhi\n\n";
    let one = "1 1 2 1 5 5 5\n";
    for (text, expected) in [
        (
            format!("{head}Atoms # atomic\n\n1 1 5 5 5\n"),
            "b:9: atoms of style `atomic` have no diameter; take `atom_style sphere`, \
             id type diameter density x y z",
        ),
        (
            format!("{head}Atoms # hybrid sphere bond\n\n"),
            "b:9: atoms of mixed styles (`hybrid sphere bond`) are not read; write a dump with \
             id radius x y z instead",
        ),
        (
            format!("{head}Atoms\n\n1 1 5 5 5\n"),
            "b:11: has 5 columns, and atoms of style sphere 7 or 10; name the style, \
             `Atoms # sphere`",
        ),
        (
            format!("{head}Atoms # sphere\n\n{one}2 1 2 1 5 5\n"),
            "b:12: has 6 columns, and an atom of style sphere has 7: id type diameter density x y z, \
             and perhaps three image flags",
        ),
        (
            format!("{head}Atoms # sphere\n\n{one}"),
            "b:11: the file ends behind this line, before atom 2 of 2",
        ),
        (
            format!("{head}Atoms # sphere\n\n{one}\nVelocities\n\n"),
            "b:13: expected atom 2 of 2, found `Velocities`",
        ),
        (
            format!("{head}Atoms # sphere\n\n{one}2 1 2 1 9 9 9\n\nVelocities\n\n1 0 0 0 0 0 0\n"),
            "b:16: the file ends behind this line, before the velocity 2 of 2",
        ),
        (head.to_owned(), "b:8: the file ends behind this line, before the section `Atoms`"),
        (
            format!("{}Atoms # sphere\n\n{one}2 1 2 1 9 9 9\n", head.replace("0 20 zlo zhi\n", "")),
            "b:1: no `zlo zhi` in the header",
        ),
        (
            format!("{head}Atoms # sphere\n\n{one}2 1 0 1 9 9 9\n"),
            "b:12: the radius 0 is not positive",
        ),
    ] {
        assert_eq!(complaint_about("b", &text), expected);
    }
}

/// Two particles in a box of 20, as other programs would write them, from the line of the second
/// on.
fn second(name: &str, x: &str) -> String {
    match name {
        "dump" => format!("{BOX}ITEM: ATOMS id type radius x y z\n1 1 1 5 5 5\n2 1 1 {x} 5 5\n"),
        "data" => format!(
            "made up\n\n2 atoms\n\n0 20 xlo xhi\n0 20 ylo yhi\n0 20 zlo zhi\n\n\
             Atoms # sphere\n\n1 1 2 1 5 5 5\n2 1 2 1 {x} 5 5\n"
        ),
        "xyz" => format!(
            "2\nLattice=\"20 0 0 0 20 0 0 0 20\" Properties=species:S:1:pos:R:3:radius:R:1 \
             pbc=\"T T T\"\nA 5 5 5 1\nA {x} 5 5 1\n"
        ),
        "par" => format!("{PAR}0 1 -5 0 0\n1 1 {x} 0 0\n"),
        _ => format!("# np1 np2 vf lx ly lz\n# 2 0 0.1 20 20 20\n5 5 5 1\n{x} 5 5 1\n"),
    }
}

const PAR: &str = "# LF_DEM version 1\n# np 2\n# VF 0.1\n# Lx 20\n# Ly 20\n# Lz 20\n\
                   # data in h units.\n#1: particle index\n#2: radius\n#3-5: position (x, y, z)\n\n\
                   # cumulated strain : 0\n# shear disp : 0\n# shear rate : 1\n";

#[test]
fn particles_outside_of_the_box_or_inside_of_others_are_named_in_every_format() {
    let outside = "boxes outside of the box along x; the box and the coordinates are not of the same \
                   configuration";
    let unwrapped = ", or the coordinates are unwrapped and not called so (xu yu zu)";
    let inside = "overlap by 1.000 of the smaller radius, beyond what contacts are made for (0.25); are \
                  radii and diameters mixed up, or is the box of another configuration?";
    for (name, line, ids) in [
        ("dump", 11, [1, 2]),
        ("data", 12, [1, 2]),
        ("xyz", 4, [0, 1]),
        ("par", 16, [0, 1]),
        ("dat", 4, [0, 1]),
    ] {
        let [first, other] = ids;
        // Extended XYZ often has coordinates that are not wrapped.
        if name != "xyz" {
            let far = complaint_about(name, &second(name, "65"));
            let beyond = if name == "par" { "2.750" } else { "2.250" };
            let unwrapped = if name == "dump" { unwrapped } else { "" };
            assert_eq!(
                far,
                format!("{name}:{line}: atom {other} is {beyond} {outside}{unwrapped}")
            );
        }
        let close = if name == "par" { "-4" } else { "6" };
        let close = complaint_about(name, &second(name, close));
        let expected = format!("particles {first} (line {}) and {other} {inside}", line - 1);
        assert_eq!(close, format!("{name}:{line}: {expected}"));
    }
}

#[test]
fn bad_snapshots_of_lf_dem_are_refused_with_the_line_and_what_is_missing() {
    for (text, expected) in [
        (
            PAR.replace("#3-5: position (x, y, z)", "#3: gap") + "0 1 0.1\n",
            "par:15: no columns radius and position (x, y, z) among `particle index, radius, gap`; \
             take the file par_*.dat of the run",
        ),
        (
            PAR.replace("#3-5: position (x, y, z)", "#3: position x\n#4: position z") + "0 1 5 5\n",
            "par:16: no columns radius and position (x, y, z) among `particle index, radius, \
             position x, position z`; discs in a plane are not read",
        ),
        (
            PAR.replace("# Lz 20\n", "") + "0 1 5 5 5\n",
            "par:14: no `# Lz …` in the header of the file",
        ),
        (
            PAR.replace("# shear disp : 0\n", "") + "0 1 5 5 5\n",
            "par:14: no `# shear disp : …` above the spheres: the box may be sheared by any amount",
        ),
        (
            format!("{PAR}0 1 5 5 5\n"),
            "par:15: the file ends behind this line, before sphere 2 of 2",
        ),
        (
            format!("{PAR}0 1 5 5 5\n1 1 -5 -5 -5\n# 1 0 1 0 1\n0 1 5 5 5\n"),
            "par:18: the file ends behind this line, before sphere 2 of 2; the last whole frame is \
             --frame 1",
        ),
        (format!("{PAR}0 1 5 5\n"), "par:15: has 4 columns where the header names 5 or more"),
        (PAR.to_owned(), "par:14: the file holds no frame"),
        (
            PAR.replace("# VF", "# flow_type extension\n# VF"),
            "par:3: the flow is `extension`, whose boxes are not read; take a simple shear",
        ),
        (
            PAR.replace("# shear rate : 1", "# theta : 0.5"),
            "par:14: the box is sheared across x as well, and the file does not tell how far; take a \
             snapshot with theta 0",
        ),
    ] {
        assert_eq!(complaint_about("par", &text), expected);
    }
}

#[test]
fn bad_files_of_yade_and_initial_ones_of_lf_dem_are_refused_with_the_line() {
    for (name, text, expected) in [
        (
            "c.txt",
            "#format x_y_z_matId\n1 2 3 0\n",
            "c.txt:1: the format `x_y_z_matId` does not begin with x_y_z_r; export it with \
             export.text(FILE), or export.textExt(FILE, format='x_y_z_r')",
        ),
        ("c.txt", "#format x_y_z_r\n1 2 3\n", "c.txt:2: has 3 columns where `x y z r` names 4"),
        (
            "c.txt",
            "#format x_y_z_r\n",
            "c.txt:1: the file ends behind this line, before the first sphere",
        ),
        (
            "d.dat",
            "# np1 np2 vf lx ly\n# 1 1 0.5 10 10\n",
            "d.dat:2: no `lz` in the header of two lines",
        ),
        (
            "d.dat",
            "# np1 np2 vf lx ly lz\n# 1 1 0.5 10 10 10\n1 1 1 1\n",
            "d.dat:3: the file ends behind 1 spheres of 2",
        ),
        (
            "d.dat",
            "# np1 np2 vf lx ly lz\n# 1 1 0.5 10 10 10\n1 1 1\n",
            "d.dat:3: has 3 columns where a sphere has 4: x y z r",
        ),
        (
            "d.dat",
            "# np1 np2 vf lx ly lz np_wall1 np_wall2 z_bot z_top\n# 1 0 0.5 9 9 9 4 4 0 9\n",
            "d.dat:2: the header names `np_wall1`, and walls are not known here; take a configuration \
             without them",
        ),
    ] {
        assert_eq!(complaint_about(name, text), expected);
    }
}

#[test]
fn bad_extended_xyz_files_are_refused_with_the_line_and_what_is_missing() {
    for (name, text, expected) in [
        (
            "e.xyz",
            "2\nProperties=species:S:1:pos:R:3\nA 1 2 3\nA 5 2 3\n",
            "e.xyz:2: no column radius:R:1 in Properties=species:S:1:pos:R:3",
        ),
        (
            "e.xyz",
            "2\nProperties=species:S:1:pos:R:3:radius:R:1\nA 1 2 3 1\n",
            "e.xyz:3: the file ends behind this line, before particle 2 of 2",
        ),
        (
            "e.xyz",
            "2\nProperties=species:S:1:pos:R:3:radius:R:1\nA 1 2 3 1\nA 5 2 3\n",
            "e.xyz:4: has 4 columns where Properties names 5",
        ),
        (
            "e.txt",
            "x y z r\n1 2 3 4\n",
            "e.txt:1: is no configuration that is known: extended XYZ, a LAMMPS data file, a text \
             dump of LAMMPS, a text export of Yade (#format …), a configuration (# np1 …) or a snapshot \
             (par_*.dat) of LF_DEM",
        ),
    ] {
        assert_eq!(complaint_about(name, text), expected);
    }
    let soft = case("[particles]\ncount = 10\nvolume_fraction = 0.1\n[soft]\nmodulus = 100.0\n");
    let path = scratch("bad-soft").join("f.txt");
    fs::write(&path, "#format x_y_z_r\n1 2 3 1\n4 2 3 1\n").unwrap();
    let read = read_frame(&path, WhichFrame::Last).unwrap();
    let error =
        mobility::solve(&soft, &Snapshot::new(Path::new("s"), &read)).err().unwrap().to_string();
    let expected = "the films of soft and rough spheres have a state that no snapshot tells, other \
                    than the frames of a run; name its directory, take a case of hard spheres, such \
                    as cases/suspension.toml, or run this one from the snapshot, where films form \
                    within the first steps: particles.file in place of count, volume_fraction and \
                    radii";
    assert_eq!(error, expected);
}
