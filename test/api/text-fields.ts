// Every text of a request body, each in a body of its own that ends the text in the middle of a
// character: with a lone surrogate, which is not valid Unicode.
import * as z from 'zod';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Sample } from './samples.ts';

type Step = string | number;
interface TextField {
  /** As the issues of a response name it. */
  path: string;
  body: unknown;
}

const JsonSchema = z.object({
  $ref: z.string().optional(),
  type: z.string().optional(),
  examples: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
});
const Root = z.looseObject({ $defs: z.record(z.string(), z.unknown()).default({}) });

/** The fields that the route's schema has, and those that only the sample has. */
export function listTextFields({ route }: Endpoint, sample: Sample): TextField[] {
  const media = route.request?.body?.content['application/json'];
  const schema = media && 'schema' in media ? media.schema : undefined;
  if (!(schema instanceof z.ZodType)) throw new Error(`${route.operationId} takes no JSON`);
  const texts = new Map(
    [...listSchemaTexts(schema), ...listSampleTexts(sample.body)].map((text) => [text.path.join('.'), text]),
  );
  return [...texts].map(([path, text]) => ({ path, body: replaceAt(sample.body, text.path, `${text.value}\ud800`) }));
}

interface Text {
  path: Step[];
  value: string;
}

function listSchemaTexts(schema: z.ZodType): Text[] {
  const root = Root.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const walk = (node: unknown, path: Step[], outerExamples: unknown[] = []): Text[] => {
    const { $ref, type, examples = outerExamples, properties = {}, items, anyOf = [] } = JsonSchema.parse(node);
    const example = examples.find((each) => typeof each === 'string') ?? '';
    return [
      ...(type === 'string' ? [{ path, value: String(example) }] : []),
      ...($ref === undefined ? [] : walk(root.$defs[$ref.replace('#/$defs/', '')], path, examples)),
      ...Object.entries(properties).flatMap(([name, field]) => walk(field, [...path, name])),
      ...(items === undefined ? [] : walk(items, [...path, 0])),
      ...anyOf.flatMap((option) => walk(option, path, examples)),
    ];
  };
  return walk(root, []);
}

function listSampleTexts(value: unknown, path: Step[] = []): Text[] {
  if (typeof value === 'string') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((each, at) => listSampleTexts(each, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => listSampleTexts(each, [...path, name]));
}

function replaceAt(value: unknown, [step, ...rest]: Step[], text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === 'number') {
    const items: unknown[] = Array.isArray(value) ? [...value] : [];
    items[step] = replaceAt(items[step], rest, text);
    return items;
  }
  const fields: Record<string, unknown> = typeof value === 'object' && value !== null ? { ...value } : {};
  return { ...fields, [step]: replaceAt(fields[step], rest, text) };
}
