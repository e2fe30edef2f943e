// An application on grpc-go that executes the commands on its standard input; see test/interop/support/app.ts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/admin"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/xds"
)

type command struct {
	Op           string
	Target       string
	Method       string
	Metadata     [][2]string
	Timeout      float64
	WaitForReady bool
	Port         int
	Calls        []command
	AtOnce       int
}

type outcome struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Answer  string `json:"answer,omitempty"`
}

// Passes messages as bytes: only the backend interprets them.
type rawCodec struct{}

func (rawCodec) Name() string { return "raw" }

func (rawCodec) Marshal(v any) ([]byte, error) { return *(v.(*[]byte)), nil }

func (rawCodec) Unmarshal(data []byte, v any) error {
	*(v.(*[]byte)) = append([]byte(nil), data...)
	return nil
}

var (
	channels     = map[string]*grpc.ClientConn{}
	channelsLock sync.Mutex
)

func channel(target string) (*grpc.ClientConn, error) {
	channelsLock.Lock()
	defer channelsLock.Unlock()
	if known := channels[target]; known != nil {
		return known, nil
	}
	made, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err == nil {
		channels[target] = made
	}
	return made, err
}

// The names of the codes as the specification writes them.
var codeNames = map[codes.Code]string{
	codes.OK: "OK", codes.Canceled: "CANCELLED", codes.Unknown: "UNKNOWN", codes.InvalidArgument: "INVALID_ARGUMENT",
	codes.DeadlineExceeded: "DEADLINE_EXCEEDED", codes.NotFound: "NOT_FOUND", codes.AlreadyExists: "ALREADY_EXISTS",
	codes.PermissionDenied: "PERMISSION_DENIED", codes.ResourceExhausted: "RESOURCE_EXHAUSTED",
	codes.FailedPrecondition: "FAILED_PRECONDITION", codes.Aborted: "ABORTED", codes.OutOfRange: "OUT_OF_RANGE",
	codes.Unimplemented: "UNIMPLEMENTED", codes.Internal: "INTERNAL", codes.Unavailable: "UNAVAILABLE",
	codes.DataLoss: "DATA_LOSS", codes.Unauthenticated: "UNAUTHENTICATED",
}

func call(conn *grpc.ClientConn, c command) outcome {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = 3
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(timeout*float64(time.Second)))
	defer cancel()
	for _, pair := range c.Metadata {
		ctx = metadata.AppendToOutgoingContext(ctx, pair[0], pair[1])
	}
	var request, answer []byte
	err := conn.Invoke(ctx, c.Method, &request, &answer, grpc.ForceCodec(rawCodec{}), grpc.WaitForReady(c.WaitForReady))
	s := status.Convert(err)
	return outcome{Code: codeNames[s.Code()], Message: s.Message(), Answer: string(answer)}
}

// Makes many calls, some of them in parallel. The outcomes are in the order of the calls.
func callAll(c command) map[string][]outcome {
	outcomes := make([]outcome, len(c.Calls))
	slots := make(chan struct{}, c.AtOnce)
	var all sync.WaitGroup
	for i, one := range c.Calls {
		slots <- struct{}{}
		all.Go(func() {
			one.Op = "call"
			outcomes[i] = execute(one)
			<-slots
		})
	}
	all.Wait()
	return map[string][]outcome{"outcomes": outcomes}
}

// Starts a server that serves any method once its listener has arrived. Does not wait for the listener.
func serve(port int) outcome {
	echo := func(_ any, stream grpc.ServerStream) error {
		var request []byte
		if err := stream.RecvMsg(&request); err != nil {
			return err
		}
		answer := []byte("served")
		return stream.SendMsg(&answer)
	}
	server, err := xds.NewGRPCServer(grpc.UnknownServiceHandler(echo), grpc.ForceServerCodec(rawCodec{}))
	if err != nil {
		return outcome{Code: "INTERNAL", Message: err.Error()}
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return outcome{Code: "INTERNAL", Message: err.Error()}
	}
	go server.Serve(listener)
	return outcome{}
}

func execute(c command) outcome {
	if c.Op == "serve" {
		return serve(c.Port)
	}
	conn, err := channel(c.Target)
	if err != nil {
		return outcome{Code: "INTERNAL", Message: err.Error()}
	}
	switch c.Op {
	case "connect":
		conn.Connect()
	case "close":
		delete(channels, c.Target)
		conn.Close()
	case "call":
		return call(conn, c)
	}
	return outcome{}
}

func main() {
	server := grpc.NewServer()
	cleanup, err := admin.Register(server)
	if err != nil {
		log.Fatal(err)
	}
	defer cleanup()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(listener)
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"admin": listener.Addr().(*net.TCPAddr).Port, "version": fmt.Sprint("grpc-go ", grpc.Version)})
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var c command
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			log.Fatal(err)
		}
		if c.Op == "calls" {
			out.Encode(callAll(c))
		} else {
			out.Encode(execute(c))
		}
	}
}
