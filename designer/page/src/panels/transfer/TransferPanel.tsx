import { useState } from 'react'
import Start from '../../start/Start'
import { Choice } from '../lib/parts'
import { Export } from './Export'
import { Import } from './Import'
import './transfer.css'

type View = 'import' | 'export' | 'new'

// TransferPanel takes tables in from a text, hands the design out, and begins
// another one.
export default function TransferPanel() {
  const [view, setView] = useState<View>('export')
  return (
    <div className="pane transfer" data-testid="transfer">
      <Choice
        label="Direction"
        choices={[
          { id: 'export', text: 'Export' },
          { id: 'import', text: 'Import' },
          { id: 'new', text: 'New design' },
        ]}
        chosen={view}
        onChoose={setView}
        testId="transfer-view"
      />
      {view === 'import' ? <Import /> : view === 'export' ? <Export /> : <Start />}
    </div>
  )
}
