import Platform

@main struct B { static func main() {} }
