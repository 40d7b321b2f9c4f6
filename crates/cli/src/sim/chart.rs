//! A line chart as SVG.

use plotters::prelude::*;

use crate::error::Error;

/// Width and height, in pixels.
const SIZE: (u32, u32) = (800, 500);

/// Contents of a chart.
pub(super) struct Chart<'a> {
    pub(super) caption: String,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
    /// Equal distances on the x axis are equal ratios.
    pub(super) logarithmic: bool,
    /// Names of lines, and their points from left to right.
    pub(super) lines: Vec<(&'a str, &'a [(f64, f64)])>,
}

impl Chart<'_> {
    /// The chart; an axis begins at 0, unless it is that of x.
    ///
    /// # Errors
    /// [`Error::Plot`], if there are no points.
    pub(super) fn svg(&self) -> Result<String, Error> {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|why| Error::Plot(why.to_string()))?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let place = |x: f64| if self.logarithmic { x.log10() } else { x };
        let points = || self.lines.iter().flat_map(|(_, points)| points.iter());
        let low = points().map(|point| place(point.0)).fold(f64::INFINITY, f64::min);
        let high = points().map(|point| place(point.0)).fold(f64::NEG_INFINITY, f64::max);
        let most = points().map(|point| point.1).fold(0.0, f64::max);
        if low > high {
            return Err("no call has ended".into());
        }
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.caption, ("sans-serif", 18))
            .margin(12)
            .x_label_area_size(40)
            .y_label_area_size(60)
            // A single value needs some width, too.
            .build_cartesian_2d(low..if high > low { high } else { low + 1.0 }, 0.0..most * 1.05)?;
        let plain = |x: &f64| format!("{x}");
        let powers = |x: &f64| match 10_f64.powf(*x) {
            one_or_more if one_or_more >= 1.0 => format!("{one_or_more:.0}"),
            less => format!("{less:.1e}"),
        };
        let mut mesh = chart.configure_mesh();
        mesh.x_desc(self.x).y_desc(self.y).light_line_style(WHITE);
        if self.logarithmic {
            mesh.x_label_formatter(&powers)
        } else {
            mesh.x_label_formatter(&plain)
        }
        .draw()?;
        for (number, (name, points)) in self.lines.iter().enumerate() {
            let color = Palette99::pick(number).to_rgba();
            let points = points.iter().map(|(x, y)| (place(*x), *y));
            chart
                .draw_series(LineSeries::new(points, &color).point_size(3))?
                .label(*name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
        }
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}
