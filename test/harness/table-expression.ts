// Evaluates the conditions, key conditions and updates of the store on an in-memory item. Unknown
// syntax is rejected.
import type { Item, Value } from '../../shared/platform/ports.ts';
import { compareBytes } from './byte-order.ts';

type Operand = Value | undefined;
type Evaluator<T> = (item: Item, values: Item) => T;

const conditions = new Map<string, Evaluator<boolean>>();
const updates = new Map<string, Evaluator<Item>>();

/** Whether a condition holds for an item. A missing item is passed as one without attributes. */
export function evaluateCondition(text: string, item: Item, values: Item): boolean {
  const rule = conditions.get(text) ?? parse(text, parseOr);
  conditions.set(text, rule);
  return rule(item, values);
}

export function applyUpdate(text: string, item: Item, values: Item): Item {
  const update = updates.get(text) ?? parse(text, parseUpdate);
  updates.set(text, update);
  return update(item, values);
}

interface TokenReader {
  /** Consumes and returns the next word if it is one of these. */
  accept(...tokens: string[]): string | undefined;
  expect(word: string): void;
  next(): string;
  isAtEnd(): boolean;
}

function parse<T>(text: string, read: (reader: TokenReader) => T): T {
  const tokens = text.match(/[#:]?\w+|<>|<=|>=|[^\s\w]/g) ?? [];
  let at = 0;
  const fail = (): never => {
    throw new Error(`the in-memory table cannot parse "${text}" at "${tokens[at] ?? 'its end'}"`);
  };
  const reader: TokenReader = {
    accept: (...wanted) => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined),
    expect: (word) => void (reader.accept(word) ?? fail()),
    next: () => tokens[at++] ?? fail(),
    isAtEnd: () => at === tokens.length,
  };
  const parsed = read(reader);
  return reader.isAtEnd() ? parsed : fail();
}

function parseOr(reader: TokenReader): Evaluator<boolean> {
  const parts = [parseAnd(reader)];
  while (reader.accept('OR')) parts.push(parseAnd(reader));
  return (item, values) => parts.some((part) => part(item, values));
}

function parseAnd(reader: TokenReader): Evaluator<boolean> {
  const parts = [parseTerm(reader)];
  while (reader.accept('AND')) parts.push(parseTerm(reader));
  return (item, values) => parts.every((part) => part(item, values));
}

function parseTerm(reader: TokenReader): Evaluator<boolean> {
  if (reader.accept('(')) {
    const inner = parseOr(reader);
    reader.expect(')');
    return inner;
  }
  const existence = reader.accept('attribute_exists', 'attribute_not_exists');
  if (existence) {
    const [of] = parseArguments(reader);
    return (item, values) => (of?.(item, values) !== undefined) === (existence === 'attribute_exists');
  }
  if (reader.accept('begins_with')) {
    const [of, prefix] = parseArguments(reader);
    return (item, values) => String(of?.(item, values)).startsWith(String(prefix?.(item, values)));
  }
  return parseComparison(reader);
}

function parseComparison(reader: TokenReader): Evaluator<boolean> {
  const left = parseOperand(reader);
  if (reader.accept('BETWEEN')) {
    const from = parseOperand(reader);
    reader.expect('AND');
    const to = parseOperand(reader);
    return (item, values) => {
      const value = left(item, values);
      return compare(value, from(item, values)) >= 0 && compare(value, to(item, values)) <= 0;
    };
  }
  if (reader.accept('IN')) {
    const among = parseArguments(reader);
    return (item, values) => among.some((each) => compare(left(item, values), each(item, values)) === 0);
  }
  const test = comparators[reader.next()];
  if (!test) throw new Error('the in-memory table does not know this comparison');
  const right = parseOperand(reader);
  return (item, values) => test(compare(left(item, values), right(item, values)));
}

const comparators: Record<string, ((order: number) => boolean) | undefined> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** No comparison holds for missing values or values of another type. */
function compare(a: Operand, b: Operand): number {
  if (a === b && a !== undefined) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  return Number.NaN;
}

function parseArguments(reader: TokenReader): Evaluator<Operand>[] {
  reader.expect('(');
  const inside = [parseOperand(reader)];
  while (reader.accept(',')) inside.push(parseOperand(reader));
  reader.expect(')');
  return inside;
}

function parseOperand(reader: TokenReader): Evaluator<Operand> {
  if (reader.accept('if_not_exists')) {
    const [known, otherwise] = parseArguments(reader);
    return (item, values) => known?.(item, values) ?? otherwise?.(item, values);
  }
  if (reader.accept('list_append')) {
    const parts = parseArguments(reader);
    return (item, values) => parts.flatMap((part) => requireList(part(item, values)));
  }
  if (reader.accept('size')) {
    const [of] = parseArguments(reader);
    return (item, values) => sizeOfValue(of?.(item, values));
  }
  const word = reader.next();
  const name = word.slice(1);
  if (word.startsWith('#')) {
    const path = [name];
    while (reader.accept('.')) path.push(reader.next().slice(1));
    return (item) => path.reduce<Operand>((value, part) => fieldOf(value, part), item);
  }
  if (word.startsWith(':')) return (_item, values) => values[name];
  throw new Error(`the in-memory table does not know "${word}"`);
}

const fieldOf = (value: Operand, name: string): Operand =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? value[name]
    : undefined;

function requireList(value: Operand): Value[] {
  if (!Array.isArray(value)) throw new Error('the in-memory table can only append lists to lists');
  return value;
}

const sizeOfValue = (value: Operand): Operand =>
  Array.isArray(value) || typeof value === 'string' || value instanceof Uint8Array ? value.length : undefined;

function parseUpdate(reader: TokenReader): Evaluator<Item> {
  const changes: Evaluator<[string, Operand]>[] = [];
  const each = (read: (name: string) => void) => {
    do read(reader.next().slice(1));
    while (reader.accept(','));
  };
  while (!reader.isAtEnd())
    if (reader.accept('SET'))
      each((name) => {
        reader.expect('=');
        const value = parseSum(reader);
        changes.push((item, values) => [name, value(item, values)]);
      });
    else {
      reader.expect('REMOVE');
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

function parseSum(reader: TokenReader): Evaluator<Operand> {
  const left = parseOperand(reader);
  const sign = reader.accept('+', '-');
  if (!sign) return left;
  const right = parseOperand(reader);
  return (item, values) =>
    roundToThousandths(Number(left(item, values)) + (sign === '+' ? 1 : -1) * Number(right(item, values)));
}

/**
 * DynamoDB adds decimal numbers exactly. No number that is added here has more than three decimals.
 */
const roundToThousandths = (number: number): number => Number(number.toFixed(3));
