import { useState } from 'react'
import { Choice } from '../lib/parts'
import { Export } from './Export'
import { Import } from './Import'
import './transfer.css'

type View = 'import' | 'export'

// TransferPanel takes tables in from a text, and hands the design out.
export default function TransferPanel() {
  const [view, setView] = useState<View>('export')
  return (
    <div className="pane transfer" data-testid="transfer">
      <Choice
        label="Direction"
        choices={[
          { id: 'export', text: 'Export' },
          { id: 'import', text: 'Import' },
        ]}
        chosen={view}
        onChoose={setView}
        testId="transfer-view"
      />
      {view === 'import' ? <Import /> : <Export />}
    </div>
  )
}
