// The buttons that close a dialog of the settings.

import { closeDialog } from '../../parts/dialog-address.ts';
import { words } from '../../words/en.ts';

export const CancelButton = () => (
  <p>
    <button type="button" class="link-button" onClick={closeDialog}>
      {words.confirm.cancel}
    </button>
  </p>
);

export const DoneButton = ({ name }: { name: string }) => (
  <div class="actions">
    <button type="button" class="primary-button" onClick={closeDialog}>
      {name}
    </button>
  </div>
);
