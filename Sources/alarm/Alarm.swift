import Commands

@main struct B { static func main() {} }
