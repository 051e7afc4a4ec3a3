// Converts names of the function manifest to CloudFormation names.

/** `fan-out` and `fanOut` both become `FanOut`. */
export const toPascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * Object.entries with typed keys. The cast is safe for the object literals of the function
 * manifest, which have no extra keys.
 */
export const typedEntries = <Name extends string, Spec>(
  record: Readonly<Partial<Record<Name, Spec>>>,
): [Name, Spec][] => Object.entries(record) as [Name, Spec][];
