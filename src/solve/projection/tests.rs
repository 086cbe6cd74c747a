use super::*;
use rand::{RngExt, SeedableRng};

/// Discs pressed together at random: some constraints act, some do not, many are redundant.
fn heap(count: usize, seed: u64) -> (Operator, Vec<Constraint>) {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(seed);
    let drag = (0..count).map(|_| [1.0 + rng.random::<f64>(), 1.0]).collect();
    let side = (count as f64).sqrt().ceil() as usize;
    let mut constraints = Vec::new();
    let mut at = |i: usize, j: usize, angle: f64| {
        let angle = angle + 0.3 * (rng.random::<f64>() - 0.5);
        let pull = if rng.random::<f64>() < 0.3 { -2.0 * rng.random::<f64>() } else { 0.0 };
        constraints.push(Constraint {
            ids: match j < count {
                true => PairIds::particles(i as u32, j as u32),
                false => PairIds::at_surface(i as u32, 0),
            },
            normal: Vector3::new(angle.cos(), angle.sin(), 0.0),
            slack: 1.2 * (rng.random::<f64>() - 0.7),
            pull,
        });
    };
    for i in 0..count {
        if (i + 1) % side != 0 && i + 1 < count {
            at(i, i + 1, 0.0);
        }
        if i + side < count {
            at(i, i + side, 1.57);
        }
        if i < side {
            at(i, count, -1.57);
        }
    }
    constraints.sort_by_key(|c| c.ids);
    (Operator::new(drag, Vec::new(), 1.0), constraints)
}

#[test]
fn forces_balance_gaps_stay_open_and_nothing_pulls() {
    for (count, seed) in [(1, 1), (2, 2), (50, 3), (400, 4)] {
        let (operator, constraints) = heap(count, seed);
        let mut multipliers = vec![0.0; constraints.len()];
        let mut velocities = vec![Velocity::default(); count];
        let goal = Goal { rate: 1e-11, enough: 1e-11, rounds: 40 };
        let mut projection = Projection::default();
        let freedom = Freedom::Plane;
        let done = projection
            .project(
                &Problem::new(&operator, freedom, &constraints),
                &mut multipliers,
                &mut velocities,
                goal,
            )
            .unwrap();
        println!("{count}: {done:?}");
        let mut residual: Vec<Vector3<f64>> =
            velocities.iter().zip(&operator.drag).map(|(m, d)| -d[0] * m.linear).collect();
        for (c, push) in constraints.iter().zip(&multipliers) {
            let [i, j] = c.ids.slots();
            let other = velocities.get(j).map_or(Vector3::zeros(), |m| m.linear);
            let open = c.slack + c.normal.dot(&(other - velocities[i].linear));
            assert!(*push >= 0.0 && open > -1e-10 && push * open < 1e-9, "{push} {open}");
            let force = (push + c.pull) * c.normal;
            residual[i] -= force;
            if j < count {
                residual[j] += force;
            }
        }
        let worst = residual.iter().map(|f| f.norm()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "{count}: {worst:e}");
        // From where it ended there is nothing residual to do.
        let mut again = vec![Velocity::default(); count];
        let once = projection
            .project(
                &Problem::new(&operator, freedom, &constraints),
                &mut multipliers,
                &mut again,
                goal,
            )
            .unwrap();
        assert!(once.factorizations <= 1 && once.rounds <= 2, "{once:?}");
        for (a, b) in velocities.iter().zip(&again) {
            assert!((a.linear - b.linear).norm() < 1e-9);
        }
    }
}

/// Discs of unequal sizes that nearly touch, all pushed into a corner: rigid but for a few, with
/// forces of all sizes.
fn pile(side: usize) -> (Operator, Vec<Constraint>) {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(12);
    let count = side * side;
    let at: Vec<[f64; 2]> = (0..count)
        .map(|k| {
            let (row, column) = ((k / side) as f64, (k % side) as f64);
            [
                column + 0.5 * (row % 2.0) + 0.05 * rng.random::<f64>(),
                0.87 * row + 0.05 * rng.random::<f64>(),
            ]
        })
        .collect();
    // Gaps that the pushes, which are as if everyone moved down and to the residual, leave behind.
    let fall = Vector3::new(-0.1, -1.0, 0.0);
    let mut constraints = Vec::new();
    for i in 0..count {
        for j in i + 1..count.min(i + side + 2) {
            let apart = Vector3::new(at[j][0] - at[i][0], at[j][1] - at[i][1], 0.0);
            if apart.norm() < 1.3 {
                let slack = (apart.norm() - 0.95).max(0.0);
                let ids = PairIds::particles(i as u32, j as u32);
                let normal = apart.normalize();
                constraints.push(Constraint { ids, normal, slack, pull: 0.0 });
            }
        }
        let walls = [(i < side, -Vector3::y(), 0), (i % side == 0, -Vector3::x(), 1)];
        for (_, normal, id) in walls.into_iter().filter(|wall| wall.0) {
            let (ids, slack) = (PairIds::at_surface(i as u32, id), -normal.dot(&fall));
            constraints.push(Constraint { ids, normal, slack, pull: 0.0 });
        }
    }
    (Operator::new(vec![[1.0, 1.0]; count], Vec::new(), 1.0), constraints)
}

#[test]
fn a_pile_takes_tens_of_factorizations_and_its_next_step_fewer() {
    let goal = Goal { rate: 1e-11, enough: 1e-11, rounds: 60 };
    for side in [10, 30, 60] {
        let (operator, mut constraints) = pile(side);
        let mut multipliers = vec![0.0; constraints.len()];
        let mut projection = Projection::default();
        let mut factorizations = Vec::new();
        for _ in 0..2 {
            let mut velocities = vec![Velocity::default(); side * side];
            let problem = Problem::new(&operator, Freedom::Plane, &constraints);
            let done =
                projection.project(&problem, &mut multipliers, &mut velocities, goal).unwrap();
            println!("{side}: {done:?} of {}", constraints.len());
            assert!(done.primal < 1e-11 && done.dual < 1e-10, "{done:?}");
            factorizations.push(done.factorizations);
            constraints.iter_mut().for_each(|c| c.slack *= 0.99);
        }
        assert!(factorizations[0] < 40 && factorizations[1] < 10, "{factorizations:?}");
    }
}

#[test]
fn contradictions_are_named() {
    let operator = Operator::new(vec![[1.0, 1.0]], Vec::new(), 1.0);
    let wall = |x: f64, id: u32| Constraint {
        ids: PairIds::at_surface(0, id),
        normal: Vector3::new(x, 0.0, 0.0),
        slack: -1.0,
        pull: 0.0,
    };
    let constraints = [wall(1.0, 0), wall(-1.0, 1)];
    let (mut multipliers, mut velocities) = (vec![0.0; 2], vec![Velocity::default()]);
    let goal = Goal { rate: 1e-9, enough: 1e-9, rounds: 30 };
    let failed = Projection::default().project(
        &Problem::new(&operator, Freedom::Space, &constraints),
        &mut multipliers,
        &mut velocities,
        goal,
    );
    assert!(
        matches!(failed, Err(Unprojected::Infeasible { rate, .. }) if rate > 0.5),
        "{failed:?}"
    );
}

#[test]
fn pairs_of_the_operator_resist_as_well() {
    let operator = crate::balance::tests::random_operator(60, 9);
    let mut constraints: Vec<Constraint> = operator
        .blocks
        .iter()
        .map(|b| Constraint { ids: b.ids, normal: b.normal, slack: -0.1, pull: 0.0 })
        .collect();
    constraints.truncate(20);
    let mut multipliers = vec![0.0; constraints.len()];
    let mut velocities = vec![Velocity::default(); 60];
    let goal = Goal { rate: 1e-10, enough: 1e-10, rounds: 60 };
    Projection::default()
        .project(
            &Problem::new(&operator, Freedom::Space, &constraints),
            &mut multipliers,
            &mut velocities,
            goal,
        )
        .unwrap();
    let mut residual = vec![crate::state::Wrench::default(); 60];
    operator.apply(&velocities, &mut residual);
    for (c, push) in constraints.iter().zip(&multipliers) {
        let [i, j] = c.ids.slots();
        residual[i].linear += *push * c.normal;
        residual[j].linear -= *push * c.normal;
        let open = c.slack + c.normal.dot(&(velocities[j].linear - velocities[i].linear));
        assert!(open > -1e-9 && open * push < 1e-7, "{open} {push}");
    }
    let size: f64 = multipliers.iter().sum();
    assert!(crate::solve::norm(&residual, 1.0) < 1e-8 * size);
}

/// The same projection by an interior-point method (clarabel): an independent solution.
fn by_interior_points(operator: &Operator, constraints: &[Constraint]) -> Vec<Vector3<f64>> {
    use clarabel::algebra::CscMatrix;
    use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT};
    let n = operator.drag.len();
    let diagonal: Vec<f64> = operator.drag.iter().flat_map(|d| [d[0]; 2]).collect();
    let every: Vec<usize> = (0..2 * n).collect();
    let starts: Vec<usize> = (0..=2 * n).collect();
    let quadratic = CscMatrix::new(2 * n, 2 * n, starts, every, diagonal);
    let mut pulls = vec![0.0; 2 * n];
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (row, c) in constraints.iter().enumerate() {
        for (id, sign) in c.ids.slots().into_iter().zip([1.0, -1.0]) {
            for k in 0..2 {
                if id < n {
                    rows.push(row);
                    columns.push(2 * id + k);
                    values.push(sign * c.normal[k]);
                    pulls[2 * id + k] += sign * c.normal[k] * c.pull;
                }
            }
        }
    }
    // Ax + s = b with s ≥ 0 is slack + opening ≥ 0.
    let matrix = CscMatrix::new_from_triplets(constraints.len(), 2 * n, rows, columns, values);
    let bounds: Vec<f64> = constraints.iter().map(|c| c.slack).collect();
    let cones = [SupportedConeT::NonnegativeConeT(constraints.len())];
    let (tol_gap_abs, tol_gap_rel, tol_feas) = (1e-12, 1e-12, 1e-12);
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs,
        tol_gap_rel,
        tol_feas,
        ..DefaultSettings::default()
    };
    let mut solver =
        DefaultSolver::new(&quadratic, &pulls, &matrix, &bounds, &cones, settings).unwrap();
    solver.solve();
    solver.solution.x.chunks(2).map(|x| Vector3::new(x[0], x[1], 0.0)).collect()
}

#[test]
fn an_interior_point_method_finds_the_same() {
    for (count, seed) in [(20, 5), (150, 6)] {
        let (operator, constraints) = heap(count, seed);
        let mut multipliers = vec![0.0; constraints.len()];
        let mut velocities = vec![Velocity::default(); count];
        let goal = Goal { rate: 1e-11, enough: 1e-11, rounds: 40 };
        let freedom = Freedom::Plane;
        Projection::default()
            .project(
                &Problem::new(&operator, freedom, &constraints),
                &mut multipliers,
                &mut velocities,
                goal,
            )
            .unwrap();
        let other = by_interior_points(&operator, &constraints);
        for (m, x) in velocities.iter().zip(&other) {
            assert!((m.linear - x).norm() < 1e-5, "{} {x}", m.linear);
        }
    }
}
