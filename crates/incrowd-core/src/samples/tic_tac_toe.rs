//! All final boards of the game Tic-Tac-Toe, as in UCI's "Tic-Tac-Toe Endgame" (Aha, 1991).

use super::table;
use crate::table::{Column, Table};
use std::collections::BTreeSet;

const SQUARES: [&str; 9] = [
    "top-left-square",
    "top-middle-square",
    "top-right-square",
    "middle-left-square",
    "middle-middle-square",
    "middle-right-square",
    "bottom-left-square",
    "bottom-middle-square",
    "bottom-right-square",
];

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// What is on a square; in the order UCI's file is sorted by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    X,
    O,
    Blank,
}

type Board = [Mark; 9];

/// The 958 different boards at the end of a game in which x moved first: nine squares (`x`, `o`, `b` for blank) and the
/// class, `positive` where x has won (626 boards).
///
/// The boards are found by playing all games. Boards that x has won come first.
pub fn tic_tac_toe() -> Table {
    let mut ends = BTreeSet::new();
    play([Mark::Blank; 9], Mark::X, &mut ends);
    let (won, other): (Vec<Board>, Vec<Board>) = ends.into_iter().partition(|board| has_won(board, Mark::X));
    let boards: Vec<&Board> = won.iter().chain(&other).collect();
    let square = |(i, name): (usize, &&str)| {
        Column::from_texts(name, &boards.iter().map(|board| Some(letter(board[i]))).collect::<Vec<_>>())
    };
    let mut columns: Vec<Column> = SQUARES.iter().enumerate().map(square).collect();
    let class = |row| Some(if row < won.len() { "positive" } else { "negative" });
    columns.push(Column::from_texts("class", &(0..boards.len()).map(class).collect::<Vec<_>>()));
    table(columns)
}

/// Collects the ends of all games that go on from `board` with `turn` to move.
fn play(board: Board, turn: Mark, ends: &mut BTreeSet<Board>) {
    let other = if turn == Mark::X { Mark::O } else { Mark::X };
    if has_won(&board, other) || !board.contains(&Mark::Blank) {
        ends.insert(board);
        return;
    }
    for square in (0..9).filter(|&square| board[square] == Mark::Blank) {
        let mut next = board;
        next[square] = turn;
        play(next, other, ends);
    }
}

fn has_won(board: &Board, mark: Mark) -> bool {
    LINES.iter().any(|line| line.iter().all(|&square| board[square] == mark))
}

fn letter(mark: Mark) -> &'static str {
    match mark {
        Mark::X => "x",
        Mark::O => "o",
        Mark::Blank => "b",
    }
}
