// Compares JSON with a sample in which `…` stands for members or items that are left out. A sample
// may end after a `…`, in the middle of a value.

/** `gap` stands for any number of members or items. */
const gap = '…';
type Gap = typeof gap;
type Scalar = string | number | boolean | null;
export type Sample =
  | { kind: 'object'; parts: ({ name: string; value: Sample } | Gap)[] }
  | { kind: 'array'; parts: (Sample | Gap)[] }
  | { kind: 'scalar'; value: Scalar };

export function parseSample(text: string): Sample {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|[[\]{}:,…]/g) ?? [];
  if (tokens.join('') !== text.replaceAll(/\s+/g, '')) throw new Error(`this is no JSON: ${text}`);
  let at = 0;
  const isAtEnd = () => at >= tokens.length;
  const take = (): string => {
    const token = tokens[at++];
    if (token === undefined) throw new Error(`a sample may end only after ${gap}: ${text}`);
    return token;
  };
  /** Reads parts up to the closing bracket, or to the end of a sample that ends with a gap. */
  function takeParts<Part>(closing: string, takePart: () => Part): (Part | Gap)[] {
    const parts: (Part | Gap)[] = [];
    for (;;) {
      if (tokens[at] === gap) {
        parts.push(gap);
        at++;
      } else if (tokens[at] !== closing) parts.push(takePart());
      if (isAtEnd()) {
        if (parts.at(-1) !== gap) parts.push(gap);
        return parts;
      }
      const next = take();
      if (next === closing) return parts;
      if (next !== ',') throw new Error(`expected , or ${closing}, found ${next} in ${text}`);
    }
  }
  const takeMember = () => {
    const name = String(JSON.parse(take()));
    if (take() !== ':') throw new Error(`expected : after ${name} in ${text}`);
    return { name, value: takeValue() };
  };
  function takeValue(): Sample {
    const token = take();
    if (token === '{') return { kind: 'object', parts: takeParts('}', takeMember) };
    if (token === '[') return { kind: 'array', parts: takeParts(']', takeValue) };
    return { kind: 'scalar', value: JSON.parse(token) };
  }
  const sample = takeValue();
  if (!isAtEnd()) throw new Error(`there is more than one value: ${text}`);
  return sample;
}

/** Says what is wrong with a value at that path, or undefined. `name` is the nearest member's name. */
export type CheckScalar = (value: Scalar, where: { name: string; isLast: boolean; sample: Scalar }) => string | undefined;

/** Every difference between a value and the sample: names, order, lengths, and what `check` says. */
export function findDifferences(sample: Sample, actual: unknown, check: CheckScalar): string[] {
  const differences: string[] = [];
  const report = (path: string, text: string) => void differences.push(`${path || 'the value'}: ${text}`);

  function compare(expected: Sample, value: unknown, path: string, name: string, isLast: boolean): void {
    if (expected.kind === 'scalar') {
      if (!isScalar(value)) return report(path, `is no ${expected.value === null ? 'null' : typeof expected.value}`);
      const problem = check(value, { name, isLast, sample: expected.value });
      if (problem) report(path, problem);
    } else if (value === null && isLast) return;
    else if (expected.kind === 'array') compareItems(expected.parts, value, path, name);
    else compareMembers(expected.parts, value, path);
  }

  function compareItems(parts: (Sample | Gap)[], value: unknown, path: string, name: string): void {
    if (!Array.isArray(value)) return report(path, 'is no array');
    const items = parts.filter((part) => part !== gap);
    const gapAt = parts.indexOf(gap);
    if (gapAt < 0 ? value.length !== items.length : value.length < items.length)
      return report(path, `has ${value.length} items, the sample ${items.length}`);
    for (const [index, item] of items.entries()) {
      const at = gapAt < 0 || index < gapAt ? index : value.length - items.length + index;
      compare(item, value[at], `${path}[${at}]`, name, at === value.length - 1);
    }
  }

  function compareMembers(parts: ({ name: string; value: Sample } | Gap)[], value: unknown, path: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return report(path, 'is no object');
    const names = Object.keys(value);
    let position = 0;
    let mayskip = false;
    for (const part of parts) {
      if (part === gap) {
        mayskip = true;
        continue;
      }
      const at = names.indexOf(part.name, position);
      if (at < 0) report(path, `has no ${part.name} where the sample has it`);
      else {
        if (at > position && !mayskip) report(path, `also has ${names.slice(position, at).join(', ')}`);
        compare(part.value, Object(value)[part.name], path === '' ? part.name : `${path}.${part.name}`, part.name, false);
        position = at + 1;
      }
      mayskip = false;
    }
    if (!mayskip && position < names.length) report(path, `also has ${names.slice(position).join(', ')}`);
  }

  compare(sample, actual, '', '', false);
  return differences;
}

/** Every scalar of a sample, with the name of the member that it belongs to. */
export function listScalars(sample: Sample, name = ''): { name: string; value: Scalar }[] {
  if (sample.kind === 'scalar') return [{ name, value: sample.value }];
  if (sample.kind === 'array') return sample.parts.flatMap((part) => (part === gap ? [] : listScalars(part, name)));
  return sample.parts.flatMap((part) => (part === gap ? [] : listScalars(part.value, part.name)));
}

const isScalar = (value: unknown): value is Scalar => value === null || ['string', 'number', 'boolean'].includes(typeof value);
