import { colours } from '../../api/items'
import { store, useStore } from '../../store/state'
import { Action } from '../Action'
import { paint, remove } from './changing'
import { itemsOf, wordsOf } from './items'
import './items.css'

// ItemActions are what can be done with the area or note that is selected.
export default function ItemActions({ id }: { id: string }) {
  const item = useStore((s) => itemsOf(s)[id])
  if (!item) return null
  return (
    <div className="actions" role="toolbar" aria-label={wordsOf(item)} data-testid="item-actions">
      <Action icon="edit" label={item.kind === 'area' ? 'Rename' : 'Edit'} test="edit-item" run={() => store.set({ writing: id })} />
      <div className="paints" role="radiogroup" aria-label="Colour">
        {colours.map((colour) => (
          <label key={colour} className={`paint paint-${colour}`} title={colour}>
            <input type="radio" name="item-colour" aria-label={colour} checked={item.colour === colour} data-testid={`paint-${colour}`} onChange={() => paint(id, colour)} />
          </label>
        ))}
      </div>
      <Action icon="trash" label="Delete" test="remove-item" run={() => remove(id)} />
    </div>
  )
}
