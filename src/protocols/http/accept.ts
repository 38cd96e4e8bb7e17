/** Returns whether an `Accept` header allows a media type (RFC 9110, 12.5.1). Without a header every type is allowed. */
export function acceptsType(header: string | undefined, mediaType: string): boolean {
  if (header === undefined || header.trim() === '') return true
  const [type] = mediaType.split('/')
  // The most specific range that matches decides, whatever its place.
  const ranges = [mediaType, `${type}/*`, '*/*']
  const weights = new Map(header.split(',').map(readRange))
  const weight = ranges.map((range) => weights.get(range)).find((found) => found !== undefined)
  return weight !== undefined && weight > 0
}

/** A range and its weight. Names are case-insensitive. A weight that cannot be read counts as 1. */
function readRange(text: string): readonly [range: string, weight: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1]
  const weight = given === undefined ? 1 : Number(given)
  return [range, Number.isNaN(weight) ? 1 : weight]
}
