// What was started, to be stopped in the opposite order: once, whether the start failed halfway or the stop was asked for.

export interface UndoStack {
  push(step: () => void | Promise<void>): void;
  /** Takes every step even when one fails, and throws the first failure at the end. */
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
