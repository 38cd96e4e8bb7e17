/** The values of the names in a template. */
export type TemplateScope = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{\{\s*([\w.-]+)\s*\}\}/g

/** Replaces each `{{name.field.0}}` in the text by its value, or by nothing if it does not exist. */
export const renderText = (text: string, scope: TemplateScope): string =>
  !text.includes('{{') ? text : text.replace(PLACEHOLDER, (_, path: string) => written(lookUp(scope, path)))

/** Fills all texts inside a value. A text that is a single placeholder becomes the value itself. */
export function renderTemplate(value: unknown, scope: TemplateScope): unknown {
  if (typeof value === 'string') {
    const alone = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(value)
    return alone ? lookUp(scope, alone[1]!) : renderText(value, scope)
  }
  if (Array.isArray(value)) return value.map((item) => renderTemplate(item, scope))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderTemplate(item, scope)]))
  return value
}

function lookUp(scope: TemplateScope, path: string): unknown {
  let value: unknown = scope
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const written = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
