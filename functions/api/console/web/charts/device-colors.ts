// A device keeps its colour and its pattern on every page, in the order of connection. The pattern
// says the same for those who cannot tell two colours apart.

export interface DeviceMark {
  /** The names of the custom properties are those of `styles/charts.css`. */
  colorName: string;
  pattern: PatternName;
}

export const patternNames = ['solid', 'rising', 'dots', 'falling', 'bars', 'grid', 'lines', 'checks'] as const;
export type PatternName = (typeof patternNames)[number];

/** Both themes, at least 3:1 against the paper that charts are drawn on. */
export const devicePalette = [
  { light: '#1f6f5c', dark: '#4fb79b' },
  { light: '#b4540a', dark: '#f0a35e' },
  { light: '#3f57b5', dark: '#93a8f5' },
  { light: '#c2478f', dark: '#ef9ccb' },
  { light: '#6b6a10', dark: '#c9c65a' },
  { light: '#0f7391', dark: '#6cc8e6' },
  { light: '#7a4a2b', dark: '#cfa583' },
  { light: '#5c5f66', dark: '#b6bac2' },
] as const;

export interface ConnectedDevice {
  id: string;
  connected_at: string | null;
}

/** By order of connection. A ninth device begins again, with another pattern. */
export function assignDeviceMarks(devices: readonly ConnectedDevice[]): ReadonlyMap<string, DeviceMark> {
  const inOrder = devices.toSorted(
    (a, b) => (a.connected_at ?? '9').localeCompare(b.connected_at ?? '9') || a.id.localeCompare(b.id),
  );
  return new Map(inOrder.map(({ id }, at) => [id, markAt(at)]));
}

const markAt = (at: number): DeviceMark => ({
  colorName: `--device-${(at % devicePalette.length) + 1}`,
  pattern: patternNames[(at + Math.floor(at / devicePalette.length)) % patternNames.length] ?? 'solid',
});
