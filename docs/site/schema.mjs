// Markdown pages from JSON Schema, OpenAPI and AsyncAPI documents.

/** The levels of nested objects that a table shows. Deeper objects have the type `object`. */
const MAX_LEVELS = 4

/** A page of all operations and messages of a protocol. */
export function protocolPage(documents) {
  const [{ document: first }] = documents
  const files = documents.map(({ name }) => `[${name}](/docs/reference/${name}){target="_self"}`).join(', ')
  const parts = documents.flatMap(({ document }) => (document.openapi ? operations(document) : channels(document)))
  const schemas = documents.flatMap(({ document }) => sections(document, '###'))
  const title = first.info.title.replace(/ (REST|HTTP|WebSocket|MCP)? ?API$/, '')
  return [
    `# ${title}`,
    '',
    first.info.description ?? '',
    '',
    `Machine-readable: ${files}.`,
    '',
    ...parts,
    ...(schemas.length > 0 ? ['## Schemas', '', ...schemas] : []),
  ].join('\n')
}

function operations(document) {
  return [
    '## Routes',
    '',
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => [
        `### ${method.toUpperCase()} ${escaped(path)}`,
        '',
        escaped(operation.description ?? operation.summary ?? ''),
        '',
        ...parameters(document, operation.parameters ?? []),
        ...contents(document, 'Body', operation.requestBody),
        ...Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
          contents(document, `Status ${status}`, resolved(document, response)),
        ),
      ]),
    ),
  ]
}

function parameters(document, all) {
  if (all.length === 0) return []
  const rows = all
    .map((one) => resolved(document, one))
    .map(({ name, in: place, required, schema, description }) =>
      row([
        `\`${name}\` (${place})`,
        typeOf(document, schema),
        required ? 'yes' : '',
        description ?? schema?.description ?? '',
      ]),
    )
  return ['| parameter | type | required | description |', '|---|---|---|---|', ...rows, '']
}

function contents(document, title, part) {
  return Object.entries(part?.content ?? {}).flatMap(([type, { schema }]) => [
    `**${title}**, \`${type}\``,
    '',
    ...shape(document, schema),
  ])
}

function channels(document) {
  return Object.values(document.channels).flatMap((channel) => [
    `## Messages of ${escaped(channel.address)}`,
    '',
    escaped(channel.description ?? ''),
    '',
    ...Object.entries(channel.messages ?? {}).flatMap(([name, message]) => {
      const { payload, summary, description } = resolved(document, message)
      return [`### ${escaped(name)}`, '', escaped(description ?? summary ?? ''), '', ...shape(document, payload)]
    }),
  ])
}

/** The named parts of a document. */
const partsOf = (document) => document.$defs ?? document.components?.schemas ?? {}

function sections(document, heading) {
  return Object.entries(partsOf(document)).flatMap(([name, part]) => [
    `${heading} ${escaped(name)}`,
    '',
    escaped(part.description ?? ''),
    '',
    ...shape(document, part),
  ])
}

/** The table of an object's fields, or the type of anything else. */
function shape(document, schema) {
  const rows = fields(document, schema, '', 0)
  if (rows.length > 0) return ['| field | type | required | description |', '|---|---|---|---|', ...rows, '']
  return schema ? [`Type: ${typeOf(document, schema)}`, ''] : []
}

function fields(document, schema, path, level) {
  const { properties = {}, required = [], anyOf, oneOf, allOf, items } = resolved(document, schema) ?? {}
  const own = Object.entries(properties).flatMap(([name, field]) => [
    row([
      `\`${path}${name}\``,
      typeOf(document, field),
      required.includes(name) ? 'yes' : '',
      description(document, field),
    ]),
    ...(field.$ref || level + 1 >= MAX_LEVELS ? [] : fields(document, field, `${path}${name}.`, level + 1)),
  ])
  const inner = items && !items.$ref ? fields(document, items, path.replace(/\.$/, '[].'), level) : []
  const others = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].filter((one) => !one.$ref)
  return [...new Set([...own, ...inner, ...others.flatMap((one) => fields(document, one, path, level))])]
}

const description = (document, field) => field.description ?? resolved(document, field)?.description ?? ''

/** A short description of a type, with links to the named parts of the document. */
function typeOf(document, schema = {}) {
  const { $ref, type, enum: values, const: value, items, anyOf, oneOf } = schema
  if ($ref) {
    const name = $ref.split('/').at(-1)
    return name in partsOf(document) ? `[${name}](#${anchorOf(name)})` : `\`${name}\``
  }
  if (value !== undefined) return `\`${JSON.stringify(value)}\``
  if (values) return values.map((one) => `\`${JSON.stringify(one)}\``).join(' or ')
  const choices = anyOf ?? oneOf
  if (choices) return [...new Set(choices.map((one) => typeOf(document, one)))].join(' or ')
  if (type === 'array') return `array of ${items ? typeOf(document, items) : 'anything'}`
  return [type ?? 'anything'].flat().join(' or ')
}

/** The anchor of a heading, without the underscores that generated names begin with. */
const anchorOf = (name) => name.toLowerCase().replace(/^_+/, '')

function resolved(document, schema) {
  if (!schema?.$ref) return schema
  return schema.$ref
    .slice(2)
    .split('/')
    .reduce((at, key) => at?.[key], document)
}

const row = (cells) =>
  `| ${cells.map((text) => escaped(text).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`

/** Escapes braces, which Markdown would read as attributes. */
const escaped = (text) => text.replaceAll('{', '\\{')
