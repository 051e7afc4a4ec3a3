import { expect, test } from 'vitest';
import { axisPixels, chooseDays, chooseHours } from '../../../functions/api/console/web/charts/choose-days.ts';
import { edgePercent, placeLabel } from '../../../functions/api/console/web/charts/label-place.ts';
import { chooseScale, minuteSteps } from '../../../functions/api/console/web/charts/value-scale.ts';
import { toSentenceCase } from '../../../functions/api/console/web/state/format.ts';
import { metricTable } from '../../../shared/catalog/metric-table.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';

test.each([
  ['Flights Climbed', 'Flights climbed'],
  ['Time in Bed', 'Time in bed'],
  ['REM Sleep', 'REM sleep'],
  ['Sleep Heart Rate Variability (RMSSD)', 'Sleep heart rate variability (RMSSD)'],
  ['VO₂ Max', 'VO₂ max'],
])('%s is written as %s', (name, written) => expect(toSentenceCase(name)).toBe(written));

test('no metric is written with a capital letter in the middle, except in abbreviations', () => {
  for (const { displayName } of metricTable)
    expect(toSentenceCase(displayName)).toMatch(/^\S+(?: (?:\p{Ll}+|\(?\p{Lu}{2,}\)?))*$/u);
});

test('the name of every tick below a workout stays within the narrowest chart, wherever it stands', () => {
  // A phone of 320 pixels without the page's edges and the rates; "1 h 30 min" is 65 pixels wide.
  const [chartPixels, namePixels] = [224, 65];
  for (let percent = 0; percent <= 100; percent += 0.5) {
    const { left, transform } = placeLabel(percent, edgePercent.ofMinutes);
    const shift = Number(/^translateX\((-?\d+)%\)$/.exec(transform)?.[1]);
    const start = (Number.parseFloat(left) / 100) * chartPixels + (shift / 100) * namePixels;
    expect([percent, start >= 0, start + namePixels <= chartPixels]).toEqual([percent, true, true]);
  }
});

test('the names below a workout are centred away from the edges, and those that a phone shows do not overlap', () => {
  for (const percent of [20, 50, 80])
    expect(placeLabel(percent, edgePercent.ofMinutes).transform).toBe('translateX(-50%)');
  for (const percent of [10, 50, 90])
    expect(placeLabel(percent, edgePercent.ofHours).transform).toBe('translateX(-50%)');
  const [chartPixels, namePixels] = [224, 65];
  for (let minutes = 5; minutes <= 300; minutes += 1) {
    const { ticks } = chooseScale('amount', [minutes], { steps: minuteSteps });
    // A phone shows every other one.
    const shown = ticks.filter((tick, at) => tick <= minutes && at % 2 === 0);
    const ends = shown.map((tick) => {
      const { left, transform } = placeLabel((tick / minutes) * 100, edgePercent.ofMinutes);
      const width = tick === 0 ? 34 : namePixels;
      const start =
        (Number.parseFloat(left) / 100) * chartPixels + (Number(/-?\d+/.exec(transform)?.[0]) / 100) * width;
      return { start, end: start + width };
    });
    for (const [at, { start }] of ends.entries())
      expect([minutes, start >= (ends[at - 1]?.end ?? 0)]).toEqual([minutes, true]);
  }
});

test.each([7, 30, 90, 365])('the name of every labelled day of %i fits into the chart', (days) => {
  const dates = Array.from({ length: days }, (_, at) => addDays('2026-01-01', at));
  for (const width of [280, 460, 620, 1_200]) {
    const chosen = chooseDays(dates, width);
    const dayPixels = (width - axisPixels) / days;
    const centers = chosen.map((date) => axisPixels + (dates.indexOf(date) + 0.5) * dayPixels);
    expect(chosen.length).toBeGreaterThanOrEqual(2);
    expect(width - (centers.at(-1) ?? 0)).toBeGreaterThanOrEqual(25.9);
    for (const [at, center] of centers.entries())
      if (at > 0) expect(center - (centers[at - 1] ?? 0)).toBeGreaterThanOrEqual(52);
  }
});

test.each([
  [24, 1],
  [168, 24],
  [720, 24],
])('the names of %i hours, one of %i of which may be named, fit into the chart and do not touch', (hours, every) => {
  for (const width of [280, 358, 460, 1_200])
    for (const first of every === 1 ? [0] : [0, 5, 23]) {
      const candidates = Array.from({ length: hours }, (_, at) => at).filter((at) => at % every === first % every);
      const positions = chooseHours(candidates, hours, width).map(
        (at) => axisPixels + (at * (width - axisPixels)) / hours,
      );
      expect(positions.length).toBeGreaterThanOrEqual(2);
      expect(width - (positions.at(-1) ?? 0)).toBeGreaterThanOrEqual(25.9);
      for (const [at, position] of positions.entries())
        if (at > 0) expect(position - (positions[at - 1] ?? 0)).toBeGreaterThanOrEqual(52);
    }
});
