import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  assignDeviceMarks,
  devicePalette,
  patternNames,
} from '../../../functions/api/console/web/charts/device-colors.ts';

type Rgb = readonly [number, number, number];

const toLinear = (hex: string): Rgb => {
  const channel = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
};

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(toLinear(a)), luminance(toLinear(b))].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** The surfaces that charts are drawn on, in each theme (`docs-kit/assets/tokens.css`). */
const surfaces = { light: ['#fcfbf8', '#ffffff'], dark: ['#15181a', '#101315'] } as const;

const readStyles = (path: string): string =>
  readFileSync(new URL(`../../../functions/api/${path}`, import.meta.url), 'utf8');

test.each(['light', 'dark'] as const)('every device colour has a contrast of 3:1 in the %s theme', (theme) => {
  for (const colors of devicePalette)
    for (const surface of surfaces[theme]) expect(contrast(colors[theme], surface)).toBeGreaterThanOrEqual(3);
});

test('the surfaces and the palette are those of the style sheets', () => {
  const tokens = readStyles('docs-kit/assets/tokens.css');
  expect(tokens).toContain(`--paper: light-dark(${surfaces.light[0]}, ${surfaces.dark[0]})`);
  expect(tokens).toContain(`--well: light-dark(${surfaces.light[1]}, ${surfaces.dark[1]})`);
  for (const [at, { light, dark }] of devicePalette.entries())
    expect(readStyles('console/web/styles/charts.css')).toContain(`--device-${at + 1}: light-dark(${light}, ${dark});`);
});

/** Viénot, Brettel and Mollon (1999): what someone without one kind of cone sees. */
const deficiencies = {
  protanopia: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deuteranopia: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
} as const;

function toOklab([r, g, b]: Rgb): Rgb {
  const root = (value: number): number => Math.cbrt(Math.max(0, value));
  const l = root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const distance = (a: Rgb, b: Rgb): number =>
  Math.hypot(...toOklab(a).map((value, at) => value - (toOklab(b)[at] ?? 0)));

function seenBy(deficiency: keyof typeof deficiencies, [r, g, b]: Rgb): Rgb {
  const [first, second, third] = deficiencies[deficiency].map(([x, y, z]) => x * r + y * g + z * b);
  return [first ?? 0, second ?? 0, third ?? 0];
}

/** Twice what is just noticeable side by side. */
const minDistance = 0.04;

test.each(['light', 'dark'] as const)(
  'the first four devices differ in colour for everybody, and all eight in colour or pattern, in the %s theme',
  (theme) => {
    const colors = devicePalette.map((each) => toLinear(each[theme]));
    for (const [at, color] of colors.slice(0, 4).entries())
      for (const other of colors.slice(at + 1, 4)) {
        expect(distance(color, other)).toBeGreaterThan(minDistance);
        for (const deficiency of ['protanopia', 'deuteranopia'] as const)
          expect(distance(seenBy(deficiency, color), seenBy(deficiency, other))).toBeGreaterThan(minDistance);
      }
    for (const [at, color] of colors.entries())
      for (const other of colors.slice(at + 1)) expect(distance(color, other)).toBeGreaterThan(minDistance);
    expect(new Set(patternNames).size).toBe(devicePalette.length);
  },
);

test('a device keeps its colour when another is connected, and a ninth has another pattern than the first', () => {
  const device = (at: number) => ({ id: `dev_${at}`, connected_at: `2026-03-0${at}T00:00:00.000Z` });
  const before = assignDeviceMarks([device(2), device(1)]);
  const after = assignDeviceMarks([device(3), device(2), device(1)]);
  expect(after.get('dev_1')).toEqual(before.get('dev_1'));
  expect(after.get('dev_2')).toEqual(before.get('dev_2'));
  const many = assignDeviceMarks([1, 2, 3, 4, 5, 6, 7, 8, 9].map(device));
  expect(many.get('dev_9')?.colorName).toBe(many.get('dev_1')?.colorName);
  expect(many.get('dev_9')?.pattern).not.toBe(many.get('dev_1')?.pattern);
});

test.each(['light', 'dark'] as const)('no device has the colour of the values, in the %s theme', (theme) => {
  const value = /--value: light-dark\((?<light>#\w{6}), (?<dark>#\w{6})\)/.exec(
    readStyles('console/web/styles/charts.css'),
  );
  const color = value?.groups?.[theme] ?? '';
  for (const surface of surfaces[theme]) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3);
  for (const each of devicePalette)
    expect(distance(toLinear(each[theme]), toLinear(color))).toBeGreaterThan(2 * minDistance);
});

test('no chart draws values in the colour of a device', () => {
  const files = ['overview/overview-charts.tsx', 'person/metric-chart.tsx', 'person/scores-tab.tsx'];
  for (const file of files) expect(readStyles(`console/web/pages/${file}`)).not.toMatch(/--(device|accent|blue)/);
});
