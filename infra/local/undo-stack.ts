// Undoes what was started, in reverse order and only once, whether the start failed halfway or the
// host was stopped.

export interface UndoStack {
  push(step: () => void | Promise<void>): void;
  /** Runs every step even if one fails, and throws the first failure at the end. */
  runAll(): Promise<void>;
}

export function createUndoStack(): UndoStack {
  const steps: (() => void | Promise<void>)[] = [];
  return {
    push: (step) => void steps.push(step),
    async runAll() {
      const failures: unknown[] = [];
      for (let step = steps.pop(); step; step = steps.pop()) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
