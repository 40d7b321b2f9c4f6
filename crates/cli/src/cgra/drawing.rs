//! Mappings as SVG: processing elements with their operations, and the links that values take.

use std::collections::BTreeMap;

use netfold_cgra::graph::Graph;
use netfold_cgra::op::Class;
use netfold_cgra::{Array, Compiled, Mapping, expand};
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::error::Error;

/// Size of a processing element without its operations, space around it, and of a line of text, in
/// pixels.
const WIDTH: i32 = 140;
const BORDER: i32 = 8;
const GAP: i32 = 34;
const LINE: i32 = 15;

/// Most operations that are written into a processing element.
const MOST_LINES: usize = 10;

/// Space for the caption of a loop.
const CAPTION: i32 = 44;

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// A loop in its place.
struct Placed {
    caption: String,
    mapping: Mapping,
    /// For each element its operations: cycle, class, name.
    operations: Vec<Vec<(u32, Class, String)>>,
}

/// Draws the loops of functions, one below the other.
///
/// # Errors
/// [`Error::Plot`] of the library that draws.
pub(super) fn svg(functions: &[Compiled], array: &Array) -> Result<String, Error> {
    let loops: Vec<Placed> =
        functions.iter().flat_map(|compiled| placed(compiled, array)).collect();
    let mut svg = String::new();
    draw(&loops, array, &mut svg).map_err(|why| Error::Plot(why.to_string()))?;
    Ok(svg)
}

fn placed(compiled: &Compiled, array: &Array) -> Vec<Placed> {
    let kernels = compiled.program.kernels.iter().zip(&compiled.mappings).enumerate();
    let all = kernels.map(|(number, (kernel, mapping))| {
        let graph = expand(kernel, array);
        Placed {
            caption: format!(
                "{}, loop {number} on {}: interval {} ({}), {} operations, {} times an element",
                compiled.program.function,
                array.name,
                mapping.interval,
                mapping.bounds,
                graph.nodes.len(),
                kernel.instances,
            ),
            mapping: mapping.clone(),
            operations: operations(&graph, mapping, array.elements()),
        }
    });
    all.collect()
}

fn operations(graph: &Graph, mapping: &Mapping, elements: usize) -> Vec<Vec<(u32, Class, String)>> {
    let mut operations = vec![Vec::new(); elements];
    for (number, (node, place)) in graph.nodes.iter().zip(&mapping.places).enumerate() {
        let name = format!("{number} {}.{:?}", node.op.name(), node.ty).to_lowercase();
        operations[place.element].push((place.time, node.op.class(), name));
    }
    operations.iter_mut().for_each(|all| all.sort());
    operations
}

impl Placed {
    fn lines(&self) -> usize {
        let most = self.operations.iter().map(Vec::len).max().unwrap_or(0);
        most.clamp(1, MOST_LINES + 1)
    }

    /// Height of a processing element.
    fn element(&self) -> i32 {
        self.lines() as i32 * LINE + 2 * BORDER
    }

    fn height(&self, array: &Array) -> i32 {
        CAPTION + array.rows as i32 * (self.element() + GAP) + (array.spus as i32) * BORDER
    }

    /// Returns the upper left corner of a processing element. Between SPUs there is some space.
    fn corner(&self, element: usize, array: &Array) -> (i32, i32) {
        let (row, column) = (element / array.columns, element % array.columns);
        let x = GAP + column as i32 * (WIDTH + GAP);
        let y = CAPTION + row as i32 * (self.element() + GAP);
        (x, y + array.spu(element) as i32 * BORDER)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>, array: &Array) -> Drawn
    where
        B::ErrorType: 'static,
    {
        area.draw(&Text::new(self.caption.clone(), (GAP, BORDER), ("sans-serif", 16)))?;
        let mut links: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for hop in self.mapping.hops.iter().filter(|hop| hop.from != hop.to) {
            *links.entry((hop.from, hop.to)).or_default() += 1;
        }
        for ((from, to), values) in links {
            self.draw_link(area, array, (from, to), values)?;
        }
        for (element, operations) in self.operations.iter().enumerate() {
            self.draw_element(area, self.corner(element, array), operations)?;
        }
        Ok(())
    }

    fn draw_element<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        (x, y): (i32, i32),
        operations: &[(u32, Class, String)],
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let around = [(x, y), (x + WIDTH, y + self.element())];
        area.draw(&Rectangle::new(around, WHITE.filled()))?;
        area.draw(&Rectangle::new(around, BLACK))?;
        let shown = if operations.len() > MOST_LINES + 1 { MOST_LINES } else { operations.len() };
        for (line, (time, class, name)) in operations[..shown].iter().enumerate() {
            let at = (x + BORDER, y + BORDER + line as i32 * LINE);
            let color = Palette99::pick(*class as usize).to_rgba();
            let style = ("sans-serif", 12).into_font().color(&color);
            area.draw(&Text::new(format!("{time}: {name}"), at, style))?;
        }
        if shown < operations.len() {
            let at = (x + BORDER, y + BORDER + shown as i32 * LINE);
            let more = format!("and {} more", operations.len() - shown);
            area.draw(&Text::new(more, at, ("sans-serif", 12)))?;
        }
        Ok(())
    }

    /// Draws a link, beside the one that leads back, as wide as the share of slots that it is used
    /// in.
    fn draw_link<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, Shift>,
        array: &Array,
        (from, to): (usize, usize),
        values: usize,
    ) -> Drawn
    where
        B::ErrorType: 'static,
    {
        let middle = |element| {
            let (x, y) = self.corner(element, array);
            (x + WIDTH / 2, y + self.element() / 2)
        };
        let ((ax, ay), (bx, by)) = (middle(from), middle(to));
        let beside = if from < to { -BORDER } else { BORDER };
        let (dx, dy) = if ay == by { (0, beside) } else { (beside, 0) };
        let width = 1 + 4 * values as u32 / self.mapping.interval;
        let line = vec![(ax + dx, ay + dy), (bx + dx, by + dy)];
        area.draw(&PathElement::new(line, BLUE.mix(0.5).stroke_width(width)))?;
        // Behind the border that the value has left.
        let (mx, my) = (i32::midpoint(ax, bx), i32::midpoint(ay, by));
        let at = if ay == by { (mx - 6, my + 2 * dy - 6) } else { (mx + 2 * dx, my - 6) };
        let style = ("sans-serif", 11).into_font().color(&BLUE);
        area.draw(&Text::new(values.to_string(), at, style))?;
        Ok(())
    }
}

fn draw(loops: &[Placed], array: &Array, svg: &mut String) -> Drawn {
    let width = GAP + array.columns as i32 * (WIDTH + GAP);
    // The caption, by the width of a letter, may be wider than the array.
    let captions = loops.iter().map(|placed| GAP + 8 * placed.caption.len() as i32).max();
    let height: i32 = loops.iter().map(|placed| placed.height(array)).sum();
    let size = (width.max(captions.unwrap_or(0)) as u32, height.max(1) as u32);
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let mut rest = root.clone();
    for placed in loops {
        let (here, below) = rest.split_vertically(placed.height(array));
        placed.draw(&here, array)?;
        rest = below;
    }
    root.present()?;
    Ok(())
}
