// Starts the console.
import '../../docs-kit/assets/tokens.css';
import '../../docs-kit/assets/base.css';
import './styles/environment.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/admin.css';
import './styles/charts.css';
import './styles/person.css';
import './styles/consolidation.css';
import './styles/aside.css';
import './styles/events.css';
import './styles/overview.css';
import './styles/webhooks.css';
import { render } from 'preact';
import { followAddress } from './address/address.ts';
import { Shell } from './shell.tsx';
import { loadSession } from './state/session.ts';

followAddress();
void loadSession();
const root = document.getElementById('console');
if (!root) throw new Error('the document has no element for the console');
render(<Shell />, root);
