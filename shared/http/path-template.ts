// Paths with parameters in braces, as API Gateway and OpenAPI write them, and which of them a path fits.

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');

/** `{name+}`, only at the end: all that is left of the path. */
const takesRest = (template: string): boolean => template.endsWith('+}');

/** The values of the parameters, or undefined when the path does not fit. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const parts = path.split('/');
  const last = wanted.length - 1;
  const given = takesRest(template) ? [...parts.slice(0, last), parts.slice(last).join('/')] : parts;
  if (wanted.length !== given.length) return undefined;
  const values: [name: string, value: string][] = [];
  for (const [i, segment] of wanted.entries()) {
    const value = decoded(given[i] ?? '');
    if (isParameter(segment) ? value === '' : value !== segment) return undefined;
    if (isParameter(segment)) values.push([segment.slice(1, -1).replace('+', ''), value]);
  }
  return Object.fromEntries(values);
}

/** As OpenAPI writes it, which has no word for the rest of a path. */
export const documentedPath = (template: string): string => template.replace(/\+\}$/, '}');

/** As Hono writes it. */
export const servedPath = (template: string): string =>
  template.replace(/\{(\w+)\+\}$/, ':$1{.+}').replaceAll(/\{(\w+)\}/g, ':$1');

/** For sorting, as API Gateway chooses: at the first segment where two templates differ in kind, the literal one goes first. */
export function literalFirst(a: string, b: string): number {
  const others = b.split('/');
  for (const [i, segment] of a.split('/').entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(others[i] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A path that is not valid percent-encoding stands for itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
