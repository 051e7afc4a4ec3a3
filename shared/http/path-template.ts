// Paths with parameters in braces, as API Gateway and OpenAPI write them, and which of them a path fits.

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');

/** `{name+}`, only at the end: all that is left of the path. */
const isGreedy = (template: string): boolean => template.endsWith('+}');

/** The values of the parameters, or undefined when the path does not fit. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const templateSegments = template.split('/');
  const rawSegments = path.split('/');
  const last = templateSegments.length - 1;
  const pathSegments = isGreedy(template)
    ? [...rawSegments.slice(0, last), rawSegments.slice(last).join('/')]
    : rawSegments;
  if (templateSegments.length !== pathSegments.length) return undefined;
  const values: [name: string, value: string][] = [];
  for (const [i, segment] of templateSegments.entries()) {
    const value = decodeSegment(pathSegments[i] ?? '');
    if (isParameter(segment) ? value === '' : value !== segment) return undefined;
    if (isParameter(segment)) values.push([segment.slice(1, -1).replace('+', ''), value]);
  }
  return Object.fromEntries(values);
}

/** As OpenAPI writes it, which has no word for the rest of a path. */
export const toOpenApiPath = (template: string): string => template.replace(/\+\}$/, '}');

/** As Hono writes it. */
export const toHonoPath = (template: string): string =>
  template.replace(/\{(\w+)\+\}$/, ':$1{.+}').replaceAll(/\{(\w+)\}/g, ':$1');

/** For sorting, as API Gateway chooses: at the first segment where two templates differ in kind, the literal one goes first. */
export function compareLiteralFirst(a: string, b: string): number {
  const others = b.split('/');
  for (const [i, segment] of a.split('/').entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(others[i] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A path that is not valid percent-encoding stands for itself. */
export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
