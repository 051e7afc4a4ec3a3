export const inPieces = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_none, index) => all.slice(index * size, (index + 1) * size));
