export function bundle(folder: string): Promise<void>
