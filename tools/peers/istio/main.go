// Istio's discovery server that executes the commands on its standard input; see test/interop/support/istio.ts. Istio's
// own binary needs Kubernetes, so this starts the server as Istio's tests do, with its configuration in memory.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"runtime/debug"

	"google.golang.org/grpc"

	"istio.io/istio/pilot/pkg/config/kube/crd"
	"istio.io/istio/pilot/test/xds"
	istiolog "istio.io/istio/pkg/log"
)

type command struct {
	Op string
	// For "apply" and "delete": Istio's own resources, as YAML.
	Configs string
}

// Implements the interface of a test for Istio's test server: it never ends, and a failure ends the program.
type neverEndingTest struct{}

func (neverEndingTest) Fail()                             { log.Fatal("failed") }
func (neverEndingTest) FailNow()                          { log.Fatal("failed") }
func (neverEndingTest) Fatal(args ...any)                 { log.Fatal(args...) }
func (neverEndingTest) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }
func (neverEndingTest) Log(...any)                        {}
func (neverEndingTest) Logf(string, ...any)               {}
func (neverEndingTest) TempDir() string                   { return os.TempDir() }
func (neverEndingTest) Helper()                           {}
func (neverEndingTest) Cleanup(func())                    {}
func (neverEndingTest) Skip(...any)                       {}

type plane struct {
	istio *xds.FakeDiscoveryServer
	grpc  *grpc.Server
	port  int
}

// The port is the same after a restart.
func (p *plane) start() error {
	socket, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		return err
	}
	p.port = socket.Addr().(*net.TCPAddr).Port
	p.grpc = grpc.NewServer()
	p.istio.Discovery.Register(p.grpc)
	go p.grpc.Serve(socket)
	return nil
}

func (p *plane) apply(yaml string) error {
	configs, _, err := crd.ParseInputs(yaml)
	if err != nil {
		return err
	}
	store := p.istio.Store()
	for _, config := range configs {
		if known := store.Get(config.GroupVersionKind, config.Name, config.Namespace); known == nil {
			_, err = store.Create(config)
		} else {
			config.ResourceVersion = known.ResourceVersion
			_, err = store.Update(config)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *plane) delete(yaml string) error {
	configs, _, err := crd.ParseInputs(yaml)
	if err != nil {
		return err
	}
	for _, config := range configs {
		if err := p.istio.Store().Delete(config.GroupVersionKind, config.Name, config.Namespace, nil); err != nil {
			return err
		}
	}
	return nil
}

func (p *plane) execute(c command) error {
	switch c.Op {
	case "apply":
		return p.apply(c.Configs)
	case "delete":
		return p.delete(c.Configs)
	case "stop":
		p.grpc.Stop()
	case "start":
		return p.start()
	}
	return nil
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "istio.io/istio" {
				return "istio " + module.Version
			}
		}
	}
	return "istio"
}

func main() {
	// By default, Istio logs to the standard output.
	logging := istiolog.DefaultOptions()
	logging.OutputPaths = []string{"stderr"}
	logging.SetDefaultOutputLevel(istiolog.OverrideScopeName, istiolog.WarnLevel)
	if err := istiolog.Configure(logging); err != nil {
		log.Fatal(err)
	}
	p := &plane{istio: xds.NewFakeDiscoveryServer(neverEndingTest{}, xds.FakeOptions{})}
	if err := p.start(); err != nil {
		log.Fatal(err)
	}
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"port": p.port, "version": version()})
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		if err := p.execute(c); err != nil {
			log.Fatal(err)
		}
		out.Encode(map[string]int{"port": p.port})
	}
}
