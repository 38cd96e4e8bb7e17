/** What a template's names stand for. */
export type TemplateScope = Readonly<Record<string, unknown>>

const PLACE = /\{\{\s*([\w.-]+)\s*\}\}/g

/** The text with each `{{name.field.0}}` replaced by what it stands for; by nothing when there is no such thing. */
export const renderText = (text: string, scope: TemplateScope): string =>
  !text.includes('{{') ? text : text.replace(PLACE, (_, path: string) => written(lookUp(scope, path)))

/** A value with the texts inside it filled; a text that is one place alone becomes the value itself. */
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
