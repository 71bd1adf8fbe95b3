/**
 * The types of views bring those of browsers, which do not know what Node asks for with a body that is a stream (Fetch
 * §5.3).
 */
interface RequestInit {
  duplex?: 'half'
}
