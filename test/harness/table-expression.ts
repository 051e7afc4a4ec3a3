// Conditions, key conditions and updates as the store writes them, worked out on an item in memory. What it does not know it refuses.
import type { Item, Value } from '../../shared/platform/ports.ts';
import { compareBytes } from './byte-order.ts';

type Operand = Value | undefined;
type Rule<T> = (item: Item, values: Item) => T;

const rules = new Map<string, Rule<boolean>>();
const updates = new Map<string, Rule<Item>>();

/** Whether a condition holds for an item; one without attributes when there is none. */
export function holds(text: string, item: Item, values: Item): boolean {
  const rule = rules.get(text) ?? readWhole(text, anyOf);
  rules.set(text, rule);
  return rule(item, values);
}

export function updated(text: string, item: Item, values: Item): Item {
  const update = updates.get(text) ?? readWhole(text, clauses);
  updates.set(text, update);
  return update(item, values);
}

interface Reader {
  /** The next word if it is one of these, which is then passed. */
  taken(...words: string[]): string | undefined;
  must(word: string): void;
  word(): string;
  ended(): boolean;
}

function readWhole<T>(text: string, read: (reader: Reader) => T): T {
  const words = text.match(/[#:]?\w+|<>|<=|>=|[^\s\w]/g) ?? [];
  let at = 0;
  const fail = (): never => {
    throw new Error(`the table in memory cannot read "${text}" at "${words[at] ?? 'its end'}"`);
  };
  const reader: Reader = {
    taken: (...wanted) => (wanted.includes(words[at] ?? '') ? words[at++] : undefined),
    must: (word) => void (reader.taken(word) ?? fail()),
    word: () => words[at++] ?? fail(),
    ended: () => at === words.length,
  };
  const whole = read(reader);
  return reader.ended() ? whole : fail();
}

function anyOf(reader: Reader): Rule<boolean> {
  const parts = [allOf(reader)];
  while (reader.taken('OR')) parts.push(allOf(reader));
  return (item, values) => parts.some((part) => part(item, values));
}

function allOf(reader: Reader): Rule<boolean> {
  const parts = [single(reader)];
  while (reader.taken('AND')) parts.push(single(reader));
  return (item, values) => parts.every((part) => part(item, values));
}

function single(reader: Reader): Rule<boolean> {
  if (reader.taken('(')) {
    const inner = anyOf(reader);
    reader.must(')');
    return inner;
  }
  const existence = reader.taken('attribute_exists', 'attribute_not_exists');
  if (existence) {
    const [of] = inBrackets(reader);
    return (item, values) => (of?.(item, values) !== undefined) === (existence === 'attribute_exists');
  }
  if (reader.taken('begins_with')) {
    const [of, prefix] = inBrackets(reader);
    return (item, values) => String(of?.(item, values)).startsWith(String(prefix?.(item, values)));
  }
  return comparison(reader);
}

function comparison(reader: Reader): Rule<boolean> {
  const left = operand(reader);
  if (reader.taken('BETWEEN')) {
    const from = operand(reader);
    reader.must('AND');
    const to = operand(reader);
    return (item, values) => {
      const value = left(item, values);
      return compare(value, from(item, values)) >= 0 && compare(value, to(item, values)) <= 0;
    };
  }
  if (reader.taken('IN')) {
    const among = inBrackets(reader);
    return (item, values) => among.some((each) => compare(left(item, values), each(item, values)) === 0);
  }
  const test = tests[reader.word()];
  if (!test) throw new Error('the table in memory does not know this comparison');
  const right = operand(reader);
  return (item, values) => test(compare(left(item, values), right(item, values)));
}

const tests: Record<string, ((order: number) => boolean) | undefined> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** No comparison holds for what is missing or of another kind. */
function compare(a: Operand, b: Operand): number {
  if (a === b && a !== undefined) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  return Number.NaN;
}

function inBrackets(reader: Reader): Rule<Operand>[] {
  reader.must('(');
  const inside = [operand(reader)];
  while (reader.taken(',')) inside.push(operand(reader));
  reader.must(')');
  return inside;
}

function operand(reader: Reader): Rule<Operand> {
  if (reader.taken('if_not_exists')) {
    const [known, otherwise] = inBrackets(reader);
    return (item, values) => known?.(item, values) ?? otherwise?.(item, values);
  }
  if (reader.taken('list_append')) {
    const parts = inBrackets(reader);
    return (item, values) => parts.flatMap((part) => listIn(part(item, values)));
  }
  if (reader.taken('size')) {
    const [of] = inBrackets(reader);
    return (item, values) => sizeOf(of?.(item, values));
  }
  const word = reader.word();
  const name = word.slice(1);
  if (word.startsWith('#')) {
    const path = [name];
    while (reader.taken('.')) path.push(reader.word().slice(1));
    return (item) => path.reduce<Operand>((value, part) => fieldOf(value, part), item);
  }
  if (word.startsWith(':')) return (_item, values) => values[name];
  throw new Error(`the table in memory does not know "${word}"`);
}

const fieldOf = (value: Operand, name: string): Operand =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? value[name]
    : undefined;

function listIn(value: Operand): Value[] {
  if (!Array.isArray(value)) throw new Error('the table in memory appends lists to lists only');
  return value;
}

const sizeOf = (value: Operand): Operand =>
  Array.isArray(value) || typeof value === 'string' || value instanceof Uint8Array ? value.length : undefined;

function clauses(reader: Reader): Rule<Item> {
  const changes: Rule<[string, Operand]>[] = [];
  const each = (read: (name: string) => void) => {
    do read(reader.word().slice(1));
    while (reader.taken(','));
  };
  while (!reader.ended())
    if (reader.taken('SET'))
      each((name) => {
        reader.must('=');
        const value = sum(reader);
        changes.push((item, values) => [name, value(item, values)]);
      });
    else {
      reader.must('REMOVE');
      each((name) => changes.push(() => [name, undefined]));
    }
  return (item, values) => {
    const after = { ...item };
    for (const [name, value] of changes.map((change) => change(item, values)))
      if (value === undefined) delete after[name];
      else after[name] = value;
    return after;
  };
}

function sum(reader: Reader): Rule<Operand> {
  const left = operand(reader);
  const sign = reader.taken('+', '-');
  if (!sign) return left;
  const right = operand(reader);
  return (item, values) =>
    inThousandths(Number(left(item, values)) + (sign === '+' ? 1 : -1) * Number(right(item, values)));
}

/** DynamoDB adds decimal numbers exactly; no number that is added up here has more than three decimals. */
const inThousandths = (number: number): number => Number(number.toFixed(3));
