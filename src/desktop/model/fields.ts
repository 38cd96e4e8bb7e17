/** Some fields of a value. Undefined removes a field. */
export type Fields<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Whether all given fields of a value are equal. */
export function hasFields<T extends object>(value: T, fields: Fields<T>): boolean {
  for (const name in fields) if (value[name] !== fields[name]) return false
  return true
}
