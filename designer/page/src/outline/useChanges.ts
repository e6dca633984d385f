import { useMemo } from 'react'
import { treeOf, type TableChanges } from '../panels/changes/tree'
import { getChanges } from '../panels/lib/api'
import { useResource } from '../panels/lib/resource'
import { useStore } from '../store/state'

const none: readonly TableChanges[] = []

// useChanges is what the design changes in its database, by table.
export function useChanges(): readonly TableChanges[] {
  const connection = useStore((s) => s.connection)
  const version = useStore((s) => s.confirmed?.version ?? '')
  const sync = useStore((s) => s.confirmed?.sync ?? 'synced')
  const defaultSchema = useStore((s) => s.design?.defaultSchema ?? '')
  const { data } = useResource(
    `${connection}\n${version} ${sync}`,
    async (signal) => (sync === 'synced' || version === '' ? null : (await getChanges(connection, signal)).changes),
    150,
  )
  return useMemo(() => (data && sync !== 'synced' ? treeOf(data, defaultSchema).tables : none), [data, sync, defaultSchema])
}
