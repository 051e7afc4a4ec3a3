// Something that a person does on a page: one at a time, with the reason if it fails.
import { type Signal, useSignal } from '@preact/signals';
import { toError } from '../api/failures.ts';

export interface Action {
  readonly isActing: Signal<boolean>;
  readonly failure: Signal<Error | undefined>;
  /** Does nothing while an earlier call is acting. */
  run(act: () => Promise<void>): Promise<void>;
}

export function useAction(): Action {
  const isActing = useSignal(false);
  const failure = useSignal<Error | undefined>(undefined);
  const run = async (act: () => Promise<void>): Promise<void> => {
    if (isActing.value) return;
    isActing.value = true;
    failure.value = undefined;
    try {
      await act();
    } catch (error) {
      failure.value = toError(error);
    } finally {
      isActing.value = false;
    }
  };
  return { isActing, failure, run };
}
