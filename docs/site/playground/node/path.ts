/** Paths of a system with `/`. */

export const sep = '/'

export function normalize(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/'))
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return (path.startsWith('/') ? '/' : '') + parts.join('/')
}

export const join = (...parts: readonly string[]): string => normalize(parts.filter((part) => part !== '').join('/'))
export const dirname = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf('/'), 0)) || (path.startsWith('/') ? '/' : '.')
export const basename = (path: string, end = ''): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return end !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name
}
export const extname = (path: string): string => /[^./]\.[^./]*$/.exec(path)?.[0].slice(1) ?? ''
export const isAbsolute = (path: string): boolean => path.startsWith('/')

export function resolve(...parts: readonly string[]): string {
  const from = parts.findLastIndex(isAbsolute)
  return normalize(['/', ...parts.slice(Math.max(from, 0))].join('/'))
}

export function relative(from: string, to: string): string {
  const [one, other] = [resolve(from), resolve(to)].map((path) => path.split('/').filter((part) => part !== '')) as [
    string[],
    string[],
  ]
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return [...one.slice(same).map(() => '..'), ...other.slice(same)].join('/')
}

export const posix = { sep, normalize, join, dirname, basename, extname, isAbsolute, resolve, relative }
