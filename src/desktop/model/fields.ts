/** Some fields of a value; undefined for one that it shall not have. */
export type Fields<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Whether a value has all of some fields as they are given. */
export function hasFields<T extends object>(value: T, fields: Fields<T>): boolean {
  for (const name in fields) if (value[name] !== fields[name]) return false
  return true
}
