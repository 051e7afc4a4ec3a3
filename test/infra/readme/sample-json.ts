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
      // Lists and objects that are open where the sample ends go on.
      if (isAtEnd() && tokens.at(-1) === gap) return parts.at(-1) === gap ? parts : [...parts, gap];
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

interface Place {
  path: string;
  /** The name of the nearest member. */
  name: string;
  /** Whether this is the last item of a list. */
  isLast: boolean;
}

/** Returns what is wrong with a value, if anything. */
export type CheckScalar = (value: Scalar, place: Place & { sample: Scalar }) => string | undefined;

/** Lists the differences from the sample: in names, order and lengths, and what `check` returns. */
export function findDifferences(
  sample: Sample,
  value: unknown,
  check: CheckScalar,
  place: Place = { path: 'the value', name: '', isLast: false },
): string[] {
  const differ = (text: string | undefined): string[] => (text === undefined ? [] : [`${place.path}: ${text}`]);
  const compare = (part: Sample, actual: unknown, more: Partial<Place>) =>
    findDifferences(part, actual, check, { ...place, isLast: false, ...more });
  if (sample.kind === 'scalar')
    return differ(isScalar(value) ? check(value, { ...place, sample: sample.value }) : 'is an object or a list');
  if (value === null && place.isLast) return [];

  if (sample.kind === 'array') {
    if (!Array.isArray(value)) return differ('is no list');
    const items = sample.parts.filter((part) => part !== gap);
    const gapAt = sample.parts.indexOf(gap);
    if (gapAt < 0 ? value.length !== items.length : value.length < items.length)
      return differ(`has ${value.length} items, the sample ${items.length}`);
    return items.flatMap((item, index) => {
      const at = gapAt < 0 || index < gapAt ? index : value.length - items.length + index;
      return compare(item, value[at], { path: `${place.path}[${at}]`, isLast: at === value.length - 1 });
    });
  }

  if (typeof value !== 'object' || value === null || Array.isArray(value)) return differ('is no object');
  const names = Object.keys(value);
  const listed = new Set(sample.parts.flatMap((part) => (part === gap ? [] : part.name)));
  const shown = sample.parts.map((part) => (part === gap ? gap : part.name));
  const actual = names.map((name) => (listed.has(name) ? name : gap));
  const collapse = (list: readonly string[]) => list.filter((name, at) => name !== gap || list[at - 1] !== gap);
  return [
    ...differ(matchesOrder(shown, collapse(actual)) ? undefined : `has ${names.join(', ')}, not ${shown.join(', ')}`),
    ...sample.parts.flatMap((part) =>
      part === gap || !names.includes(part.name)
        ? []
        : compare(part.value, Object(value)[part.name], { path: `${place.path}.${part.name}`, name: part.name }),
    ),
  ];
}

/** A gap of the sample may be empty; a gap of the value must be one of the sample. */
function matchesOrder(shown: readonly string[], actual: readonly string[]): boolean {
  const [first, ...rest] = shown;
  if (first === undefined) return actual.length === 0;
  if (first === actual[0]) return matchesOrder(rest, actual.slice(1));
  return first === gap && matchesOrder(rest, actual);
}

/** Every scalar of a sample, with the name of the member that it belongs to. */
export function listScalars(sample: Sample, name = ''): { name: string; value: Scalar }[] {
  if (sample.kind === 'scalar') return [{ name, value: sample.value }];
  if (sample.kind === 'array') return sample.parts.flatMap((part) => (part === gap ? [] : listScalars(part, name)));
  return sample.parts.flatMap((part) => (part === gap ? [] : listScalars(part.value, part.name)));
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
