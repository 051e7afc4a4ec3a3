// Paths with parameters in braces, as in API Gateway and OpenAPI, and matching a path against them.

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');

/** `{name+}` is allowed only at the end and matches the rest of the path. */
const isGreedy = (template: string): boolean => template.endsWith('+}');

/** The values of the parameters, or undefined if the path does not match. */
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

/** OpenAPI's notation, which cannot express the rest of a path. */
export const toOpenApiPath = (template: string): string => template.replace(/\+\}$/, '}');

/** Hono's notation. */
export const toHonoPath = (template: string): string =>
  template.replace(/\{(\w+)\+\}$/, ':$1{.+}').replaceAll(/\{(\w+)\}/g, ':$1');

/**
 * Compares templates in API Gateway's order: at the first segment where one is a literal and the
 * other a parameter, the literal comes first.
 */
export function compareLiteralFirst(a: string, b: string): number {
  const others = b.split('/');
  for (const [i, segment] of a.split('/').entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(others[i] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A segment that is not valid percent-encoding is returned unchanged. */
export function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
