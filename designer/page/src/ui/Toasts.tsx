import { useStore } from '../store/state'
import { closeToast } from '../store/toasts'
import { Icon } from './Icon'

// Toasts are what is said in passing: below the canvas, which makes room for
// them, so that they cover no table. Where there is no canvas they float.
export function Toasts({ floating = false }: { floating?: boolean }) {
  const toasts = useStore((s) => s.toasts)
  return (
    <div className={floating ? 'toasts floating' : 'toasts'} role="region" aria-label="Notifications" aria-live="polite" data-testid="toasts">
      {toasts.map((t) => (
        <div key={t.id} className={`toast ${t.tone}`} data-testid="toast">
          <span>{t.text}</span>
          {t.action && (
            <button
              type="button"
              className="button small"
              data-testid="toast-action"
              onClick={() => {
                t.action?.run()
                closeToast(t.id)
              }}
            >
              {t.action.label}
            </button>
          )}
          <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => closeToast(t.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
