import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const NAT64_PREFIX = [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
// Answers with the machine's credentials inside one cloud, although it looks like any public address.
const CLOUD_WIRE_SERVER = '168.63.129.16'

/**
 * Whether everybody on the internet may reach this address. An address in a wrapper (IPv4-mapped, NAT64) is judged by
 * what is inside; the tunnels of old (6to4, Teredo) and everything not plainly public is not. Pure.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return isPublicV4(parsed)
  const bytes = parsed.toByteArray()
  if (parsed.isIPv4MappedAddress() || NAT64_PREFIX.every((byte, index) => bytes[index] === byte)) {
    return isPublicV4(new ipaddr.IPv4(bytes.slice(12)))
  }
  const isGlobalUnicast = (bytes[0]! & 0xe0) === 0x20
  return isGlobalUnicast && parsed.zoneId === undefined && parsed.range() === 'unicast'
}

const isPublicV4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && address.toString() !== CLOUD_WIRE_SERVER
